package cardvault

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

func TestTimeout_EachAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := inTurn(t, hang, hang)
		took := elapsed(func() {
			_, err := s.client(t, WithTimeout(20*time.Second), WithMaxRetries(1)).GetCard(t.Context(), "card_1")
			if late, ok := as[*TimeoutError](err); !ok || late.After != 20*time.Second || !late.Timeout() {
				t.Errorf("got %v, want a TimeoutError", err)
			}
		})
		if want := 40*time.Second + 500*time.Millisecond; took != want {
			t.Errorf("took %v, want %v", took, want)
		}
	})
}

// endless is a body that blocks until the context ends.
type endless struct{ ctx context.Context }

func (b endless) Read([]byte) (int, error) { <-b.ctx.Done(); return 0, b.ctx.Err() }
func (b endless) Close() error             { return nil }

func TestTimeout_Body(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := inTurn(t, func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Request: r, Body: endless{r.Context()}}, nil
		})
		_, err := s.client(t, WithMaxRetries(0)).GetCard(t.Context(), "card_1")
		if _, ok := as[*TimeoutError](err); !ok {
			t.Errorf("got %v, want a TimeoutError", err)
		}
	})
}

func TestContext_EndsPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := inTurn(t, refuse(http.StatusTooManyRequests, CodeRateLimited, "Retry-After: 60"))
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		took := elapsed(func() {
			_, err := s.client(t).GetCard(ctx, "card_1")
			if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, CodeRateLimited) {
				t.Errorf("got %v, want the context's error and that of the last attempt", err)
			}
		})
		if took != 3*time.Second {
			t.Errorf("took %v, want 3 s", took)
		}
	})
}

func TestContext_EndsAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := inTurn(t, hang)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err := s.client(t).GetCard(ctx, "card_1")
		if _, late := as[*TimeoutError](err); late || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
	})
}
