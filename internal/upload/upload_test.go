package upload

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
)

// zeros is a body of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// Clients that sent only the beginning of a large body leave the rest of the account's storage to others.
func TestBody_ReservesWhatArrives(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		storage := NewStorage(64*step, 16*step)
		for range 5 {
			source, client := io.Pipe()
			defer client.Close()
			idle := storage.Reader(t.Context(), source, "a")
			go io.Copy(io.Discard, idle)
			io.WriteString(client, "the beginning")
		}
		synctest.Wait()
		begun := time.Now()
		quick := storage.Reader(t.Context(), io.LimitReader(zeros{}, 10*step), "a")
		if n, err := io.Copy(io.Discard, quick); n != 10*step || err != nil || time.Since(begun) != 0 {
			t.Errorf("got %d bytes, %v after %s", n, err, time.Since(begun))
		}
		quick.Release()
	})
}

func TestBody_WaitsForStorage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		storage := NewStorage(8*step, 4*step)
		read := func(account string, size int64) (*Body, error) {
			b := storage.Reader(t.Context(), io.LimitReader(zeros{}, size), account)
			_, err := io.Copy(io.Discard, b)
			return b, err
		}
		first, err := read("a", 4*step-1)
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		refused, err := read("a", 1)
		f, ok := fault.As(err)
		if !ok || f.Code != fault.Unavailable || f.RetryAfter == 0 || time.Since(begun) != Wait {
			t.Errorf("after %s: %v, want unavailable after %s", time.Since(begun), err, Wait)
		}
		refused.Release()
		begun = time.Now()
		other, err := read("b", 4*step-1)
		if err != nil || time.Since(begun) != 0 {
			t.Errorf("another account: %v after %s", err, time.Since(begun))
		}
		other.Release()
		go func() {
			time.Sleep(time.Second)
			first.Release()
		}()
		next, err := read("a", step)
		if err != nil || time.Since(begun) != time.Second {
			t.Errorf("the next body: %v after %s", err, time.Since(begun))
		}
		next.Release()
	})
}

func TestBody_EndsWithContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := NewStorage(step, step).Reader(ctx, zeros{}, "a")
	defer b.Release()
	if _, err := io.Copy(io.Discard, b); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// deadlines records the read deadlines of a connection.
type deadlines struct {
	*httptest.ResponseRecorder
	set []time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error {
	d.set = append(d.set, at)
	return nil
}

// A client gets time for its next bytes while it sends, but not beyond the time for the whole body.
func TestBody_ExtendsDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun, w := time.Now(), &deadlines{ResponseRecorder: httptest.NewRecorder()}
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(strings.Repeat("x", 100)))
		b := NewStorage(step, step).Receive(t.Context(), w, r.Body, "a", 30*time.Second)
		defer b.Release()
		var got []time.Duration
		for range 3 {
			if _, err := b.Read(make([]byte, 10)); err != nil {
				t.Fatal(err)
			}
			got = append(got, w.set[len(w.set)-1].Sub(begun))
			time.Sleep(8 * time.Second)
		}
		want := []time.Duration{20 * time.Second, 28 * time.Second, 30 * time.Second}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("deadlines are %v, want %v", got, want)
				break
			}
		}
		if _, err := io.Copy(io.Discard, b); err != nil || w.set[len(w.set)-1].Sub(begun) != 30*time.Second {
			t.Errorf("after the end: %v, deadlines %v; want the last to be that of the whole body", err, w.set)
		}
	})
}

// A client that stops sending gets an error from the connection.
func TestBody_EndsIdleClient(t *testing.T) {
	t.Parallel()
	ended := make(chan error, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b := NewStorage(step, step).Receive(r.Context(), w, r.Body, "a", 10*time.Millisecond)
		defer b.Release()
		_, err := io.Copy(io.Discard, b)
		ended <- err
	}))
	defer server.Close()
	client, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	io.WriteString(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\nthe beginning")
	if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}
