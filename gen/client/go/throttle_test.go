package cardvault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// limited is a fake service with a rate limit, in windows of a minute that start with their first request.
type limited struct {
	limit int
	skew  time.Duration // how far the service's clock is ahead
	serve service       // handles the requests that the limit allows; each response takes a second

	mu       sync.Mutex
	end      time.Time
	count    int // requests in the window
	rejected int // requests over the limit
}

func (l *limited) answer(r *http.Request) (*http.Response, error) {
	l.mu.Lock()
	now := time.Now()
	if !now.Before(l.end) {
		l.end, l.count = now.Add(time.Minute), 0
	}
	l.count++
	headers := []string{
		"Date: " + now.Add(l.skew).UTC().Format(http.TimeFormat),
		fmt.Sprintf("X-RateLimit-Limit: %d", l.limit),
		fmt.Sprintf("X-RateLimit-Remaining: %d", max(0, l.limit-l.count)),
		fmt.Sprintf("X-RateLimit-Reset: %d", l.end.Add(l.skew+time.Second-1).Unix()),
	}
	wait := fmt.Sprintf("Retry-After: %d", int((l.end.Sub(now)+time.Second-1)/time.Second))
	over := l.count > l.limit
	if over {
		l.rejected++
	}
	l.mu.Unlock()
	time.Sleep(time.Second)
	if over {
		return refuse(http.StatusTooManyRequests, CodeRateLimited, append(headers, wait)...)(r)
	}
	response, err := l.serve(r)
	for _, line := range headers {
		if response != nil {
			name, value, _ := strings.Cut(line, ": ")
			response.Header.Set(name, value)
		}
	}
	return response, err
}

// burst updates n cards at the same time and fails the test if an update fails.
func burst(t *testing.T, c *Client, n int) {
	t.Helper()
	var updates sync.WaitGroup
	for i := range n {
		updates.Go(func() {
			if _, err := c.UpdateCard(t.Context(), fmt.Sprint("card_", i), CardPatch{Notes: Set("new")}); err != nil {
				t.Error(err)
			}
		})
	}
	updates.Wait()
}

// The limit allows 100 updates in the first second of the fourth window.
func TestThrottle_Burst(t *testing.T) {
	for name, skew := range map[string]time.Duration{"same clock": 0, "ahead": time.Hour, "behind": -time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &limited{limit: 30, skew: skew, serve: respond(http.StatusOK, aCard)}
				var waits []Wait
				c := service(l.answer).client(t, WithOnWait(func(w Wait) { waits = append(waits, w) }))
				took := elapsed(func() { burst(t, c, 100) })
				if took < 3*time.Minute || took > 3*time.Minute+5*time.Second {
					t.Errorf("100 updates with a limit of 30 took %v, want three minutes", took)
				}
				if l.rejected != 70 {
					t.Errorf("%d requests were rejected, want only the 70 of the first burst", l.rejected)
				}
				if len(waits) != 3 {
					t.Errorf("waited %v, want a wait for each of three windows", waits)
				}
				for _, w := range waits {
					if w.Class != RateClassWrite || w.Duration < 50*time.Second || w.Duration > time.Minute {
						t.Errorf("waited %+v, want about a minute for writes", w)
					}
				}
			})
		})
	}
}

func TestThrottle_KnowsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &limited{limit: 30, serve: respond(http.StatusOK, aCard)}
		c := service(l.answer).client(t)
		burst(t, c, 1)
		if took := elapsed(func() { burst(t, c, 59) }); took > time.Minute+5*time.Second {
			t.Errorf("took %v, want a minute", took)
		}
		if l.rejected != 0 {
			t.Errorf("%d requests were rejected, want none: the first response has the limit", l.rejected)
		}
	})
}

// Reads do not wait for the limit of writes.
func TestThrottle_Classes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		writes := &limited{limit: 1, serve: respond(http.StatusOK, aCard)}
		c := service(func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodGet {
				return respond(http.StatusOK, aCard)(r)
			}
			return writes.answer(r)
		}).client(t)
		burst(t, c, 1)
		took := elapsed(func() {
			if _, err := c.GetCard(t.Context(), "card_1"); err != nil {
				t.Error(err)
			}
		})
		if took != 0 {
			t.Errorf("a read took %v", took)
		}
	})
}

// Requests that get no response do not use up the window.
func TestThrottle_BrokenConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		requests := 0
		serve := func(r *http.Request) (*http.Response, error) {
			if requests++; requests%2 == 0 {
				return nil, io.ErrUnexpectedEOF
			}
			return respond(http.StatusOK, aCard)(r)
		}
		c := service((&limited{limit: 2, serve: serve}).answer).client(t)
		for range 5 {
			burst(t, c, 1)
		}
	})
}

func TestThrottle_ContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := service((&limited{limit: 1, serve: respond(http.StatusOK, aCard)}).answer).client(t)
		burst(t, c, 1)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		var waiting sync.WaitGroup
		for range 2 { // the head of the queue and another
			waiting.Go(func() {
				_, err := c.UpdateCard(ctx, "card_1", CardPatch{})
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v, want the context's error", err)
				}
			})
		}
		if took := elapsed(waiting.Wait); took != 10*time.Second {
			t.Errorf("waited %v, want 10 s", took)
		}
	})
}

// A client without retries returns the error of a rejected request at once.
func TestThrottle_NoRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := service((&limited{limit: 1, serve: respond(http.StatusOK, aCard)}).answer).client(t, WithMaxRetries(0))
		burst(t, c, 1)
		if _, err := c.UpdateCard(t.Context(), "card_1", CardPatch{}); !errors.Is(err, CodeRateLimited) {
			t.Errorf("got %v, want %s", err, CodeRateLimited)
		}
	})
}

// A read may be rejected because too many run at the same time. That says nothing about the limit.
func TestThrottle_TooManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reset := fmt.Sprintf("X-RateLimit-Reset: %d", time.Now().Add(time.Minute).Unix())
		s, _ := inTurn(t,
			refuse(http.StatusTooManyRequests, CodeRateLimited, "Retry-After: 1", "X-RateLimit-Limit: 60",
				"X-RateLimit-Remaining: 59", reset),
			respond(http.StatusOK, aCard))
		took := elapsed(func() {
			if _, err := s.client(t).GetCard(t.Context(), "card_1"); err != nil {
				t.Error(err)
			}
		})
		if took != 1500*time.Millisecond {
			t.Errorf("took %v, want Retry-After and a random pause", took)
		}
	})
}

// The classes are those of the contract.
func TestRequest_RateClass(t *testing.T) {
	contract, err := os.ReadFile("../../../openapi/v1.yaml")
	if err != nil {
		t.Skip("not in the repository:", err)
	}
	source, err := os.ReadFile("api.gen.go")
	if err != nil {
		t.Fatal(err)
	}
	classes := map[string]RateClass{}
	operation := regexp.MustCompile(`operation: +"(\w+)",\s+method: +http\.Method(\w+),`)
	for _, match := range operation.FindAllStringSubmatch(string(source), -1) {
		classes[match[1]] = request{operation: match[1], method: strings.ToUpper(match[2])}.rateClass()
	}
	inContract := regexp.MustCompile(`(?s)\n      operationId: (\w)(\w+)\n.*?\n      x-rate-class: (\w+)`)
	operations := inContract.FindAllStringSubmatch(string(contract), -1)
	if len(operations) != len(classes) || len(operations) < 40 {
		t.Errorf("the contract has %d operations, the client %d", len(operations), len(classes))
	}
	for _, match := range operations {
		name := strings.ToUpper(match[1]) + match[2]
		if classes[name] != RateClass(match[3]) {
			t.Errorf("%s is a request of class %q, want %s", name, classes[name], match[3])
		}
	}
	many := request{operation: "LookupPrices", method: http.MethodPost}
	if class := many.rateClass(); class != classes["LookupPrice"] {
		t.Errorf("LookupPrices is a request of class %q, want that of LookupPrice", class)
	}
}
