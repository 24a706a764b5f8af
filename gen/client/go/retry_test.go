package cardvault

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

const aCard = `{"id":"card_1","title":"Ember Fox","version":3}`

// elapsed returns how long call takes by the clock of the synctest bubble.
func elapsed(call func()) time.Duration {
	start := time.Now()
	call()
	return time.Since(start)
}

func TestRetry_PausesDouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		unavailable := refuse(http.StatusServiceUnavailable, CodeUnavailable)
		s, count := inTurn(t, unavailable, unavailable, unavailable, respond(http.StatusOK, aCard))
		c := s.client(t)
		var response Response
		took := elapsed(func() {
			card, err := c.GetCard(t.Context(), "card_1", WithResponse(&response))
			if err != nil || card.ID != "card_1" {
				t.Errorf("got %v, %v", card, err)
			}
		})
		if want := 3500 * time.Millisecond; took != want {
			t.Errorf("took %v, want 0.5 s + 1 s + 2 s = %v", took, want)
		}
		if *count != 4 || response.Attempts != 4 {
			t.Errorf("%d requests, %d attempts, want 4", *count, response.Attempts)
		}
	})
}

func TestBackoff(t *testing.T) {
	c, err := New("https://vault.example/api", "cv_test_token")
	if err != nil {
		t.Fatal(err)
	}
	for attempt, limit := range map[int]time.Duration{
		1:  500 * time.Millisecond,
		3:  2 * time.Second,
		5:  8 * time.Second,
		80: 8 * time.Second,
	} {
		t.Run(fmt.Sprintf("attempt %d", attempt), func(t *testing.T) {
			shortest, longest := limit, time.Duration(0)
			for range 1000 {
				pause := c.backoff(attempt)
				shortest, longest = min(shortest, pause), max(longest, pause)
			}
			if shortest < 0 || shortest > limit/10 || longest > limit || longest < limit*9/10 {
				t.Errorf("pauses from %v to %v, want from 0 to %v", shortest, longest, limit)
			}
		})
	}
}

func TestRetry_Statuses(t *testing.T) {
	for status, retried := range map[int]bool{
		400: false, 401: false, 404: false, 409: false, 412: false, 413: false, 422: false, 500: false, 501: false,
		429: true, 502: true, 503: true,
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				responses := []service{refuse(status, "some_code")}
				if retried {
					responses = append(responses, responses[0], responses[0], responses[0])
				}
				s, count := inTurn(t, responses...)
				_, err := s.client(t).UpdateCard(t.Context(), "card_1", CardPatch{Notes: Set("new")})
				if failed, ok := as[*APIError](err); !ok || failed.Status != status {
					t.Errorf("got %v, want an APIError of status %d", err, status)
				}
				if *count != len(responses) {
					t.Errorf("%d requests, want %d", *count, len(responses))
				}
			})
		})
	}
}

func TestRetry_RetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inNineSeconds := "Retry-After: " + time.Now().Add(9*time.Second).UTC().Format(http.TimeFormat)
		s, _ := inTurn(t,
			refuse(http.StatusTooManyRequests, CodeRateLimited, "Retry-After: 7"),
			refuse(http.StatusServiceUnavailable, CodeUnavailable, inNineSeconds),
			respond(http.StatusOK, aCard))
		c := s.client(t)
		c.jitter = func(time.Duration) time.Duration { return 0 }
		took := elapsed(func() {
			if _, err := c.GetCard(t.Context(), "card_1"); err != nil {
				t.Error(err)
			}
		})
		if took != 9*time.Second { // the date is nine seconds after the start
			t.Errorf("took %v, want 9 s", took)
		}
	})
}

// The client does not wait for a long Retry-After: the caller gets the error at once.
func TestRetry_LongRetryAfter(t *testing.T) {
	for header, want := range map[string]time.Duration{"121": 121 * time.Second, "99999999999": 1e9 * time.Second} {
		t.Run(header, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _ := inTurn(t, refuse(http.StatusTooManyRequests, CodeRateLimited, "Retry-After: "+header))
				took := elapsed(func() {
					_, err := s.client(t).GetCard(t.Context(), "card_1")
					if failed, ok := as[*APIError](err); !ok || failed.RetryAfter != want {
						t.Errorf("got %v, want an APIError with RetryAfter %v", err, want)
					}
				})
				if took != 0 {
					t.Errorf("took %v, want no wait", took)
				}
			})
		})
	}
}

func TestRetry_PostKeepsKeyAndBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var keys, bodies []string
		note := func(next service) service {
			return func(r *http.Request) (*http.Response, error) {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					t.Error(err)
				}
				keys, bodies = append(keys, r.Header.Get(idempotencyKey)), append(bodies, string(body))
				return next(r)
			}
		}
		// The first attempt times out while the service still processes it, so the second one finds the key in use.
		s, _ := inTurn(t, note(hang), note(refuse(http.StatusConflict, CodeIdempotencyConflict)),
			note(breaks(io.ErrUnexpectedEOF)), note(respond(http.StatusCreated, `{"id":"bat_1"}`)),
			note(respond(http.StatusCreated, `{"id":"bat_2"}`)))
		c := s.client(t)
		input := BatchInput{Name: "Spring fair"}
		if batch, err := c.CreateBatch(t.Context(), input); err != nil || batch.ID != "bat_1" {
			t.Errorf("got %v, %v, want the batch bat_1", batch, err)
		}
		if _, err := c.CreateBatch(t.Context(), input); err != nil {
			t.Error(err)
		}
		for i := range 3 {
			if keys[i+1] != keys[0] || bodies[i+1] != bodies[0] {
				t.Errorf("attempt %d has the key %q and the body %s, want %q and %s",
					i+2, keys[i+1], bodies[i+1], keys[0], bodies[0])
			}
		}
		if len(keys[0]) < 20 || keys[4] == keys[0] {
			t.Errorf("the keys of two calls are %q and %q, want two different long keys", keys[0], keys[4])
		}
	})
}

func TestRetry_EarlierAttemptInProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := refuse(http.StatusConflict, CodeIdempotencyConflict)
		s, _ := inTurn(t, breaks(io.ErrUnexpectedEOF), busy, busy, respond(http.StatusCreated, `{"id":"bat_1"}`))
		c := s.client(t)
		took := elapsed(func() {
			if _, err := c.CreateBatch(t.Context(), BatchInput{Name: "Spring fair"}); err != nil {
				t.Error(err)
			}
		})
		if want := 2*busyPause + 3500*time.Millisecond; took != want {
			t.Errorf("took %v, want %v", took, want)
		}
	})
}

// The key is in use by another call: there was no earlier attempt, so a retry would not help.
func TestRetry_KeyInUse(t *testing.T) {
	s, _ := inTurn(t, func(r *http.Request) (*http.Response, error) {
		if key := r.Header.Get(idempotencyKey); key != "import-7" {
			t.Errorf("the key is %q, want import-7", key)
		}
		return refuse(http.StatusConflict, CodeIdempotencyConflict)(r)
	})
	_, err := s.client(t).CreateBatch(t.Context(), BatchInput{Name: "Spring fair"}, WithIdempotencyKey("import-7"))
	if !errors.Is(err, CodeIdempotencyConflict) {
		t.Errorf("got %v, want the code %s", err, CodeIdempotencyConflict)
	}
}

func TestRetry_BrokenConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, count := inTurn(t, breaks(io.ErrUnexpectedEOF), breaks(io.ErrUnexpectedEOF))
		_, err := s.client(t, WithMaxRetries(1)).GetCard(t.Context(), "card_1")
		broken, ok := as[*ConnectionError](err)
		if !ok || broken.Operation != "GetCard" || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("got %v, want a ConnectionError", err)
		}
		if *count != 2 {
			t.Errorf("%d requests, want 2", *count)
		}
	})
}

func TestRetry_UntrustedCertificate(t *testing.T) {
	var connections atomic.Int32
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.StartTLS()
	defer server.Close()
	c, err := New(server.URL, "cv_test_token")
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.GetCard(t.Context(), "card_1")
	if _, ok := as[*ConnectionError](err); !ok || connections.Load() != 1 {
		t.Errorf("got %v after %d connections, want a ConnectionError after 1", err, connections.Load())
	}
}
