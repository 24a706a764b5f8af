package api

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/upload"
)

const largeBody = 3 * smallBody

// newSpooledBody returns a body that is received from source.
func newSpooledBody(ctx context.Context, memory *concurrency.Semaphore, account string, source io.Reader) *spooledBody {
	return &spooledBody{
		ctx: ctx, storage: upload.NewStorage(1<<30, 1<<30), memory: memory, account: account, weight: jsonWeight,
		limit: time.Minute, source: io.NopCloser(source),
	}
}

func text(size int) string { return strings.Repeat("0123456789abcdef", size/16) }

func TestSpooledBody_ReturnsBody(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 16, smallBody - 16, smallBody, smallBody + 16, largeBody} {
		memory := concurrency.NewSemaphore(bodyMemory, accountBodyMemory)
		for name, read := range map[string]func(*spooledBody) ([]byte, error){
			"readAll": (*spooledBody).readAll,
			"Read": func(a *spooledBody) ([]byte, error) {
				if got := a.Size(); got != int64(size) {
					t.Errorf("Size() = %d, want %d", got, size)
				}
				return io.ReadAll(a)
			},
		} {
			a := newSpooledBody(t.Context(), memory, "a", strings.NewReader(text(size)))
			if got, err := read(a); err != nil || string(got) != text(size) {
				t.Errorf("%d bytes %s: got %d, %v", size, name, len(got), err)
			}
			if reserved := a.held != nil; reserved != (size >= smallBody) {
				t.Errorf("%d bytes %s: memory reserved: %v", size, name, reserved)
			}
			a.release()
		}
		if _, ok := memory.TryAcquire("a", accountBodyMemory); !ok {
			t.Errorf("%d bytes: memory was not released", size)
		}
	}
}

func TestSpooledBody_KeepsReadError(t *testing.T) {
	t.Parallel()
	cut := errors.New("cut off")
	for _, size := range []int{0, largeBody} {
		a := newSpooledBody(t.Context(), concurrency.NewSemaphore(bodyMemory, accountBodyMemory), "a",
			io.MultiReader(strings.NewReader(text(size)), errorReader{cut}))
		for range 2 {
			if _, err := io.ReadAll(a); !errors.Is(err, cut) {
				t.Errorf("after %d bytes: got %v", size, err)
			}
		}
		if a.Size() != 0 {
			t.Errorf("after %d bytes: Size() = %d, want 0", size, a.Size())
		}
		a.release()
	}
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }

func TestSpooledBody_SlowClientsReserveNoMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		memory := concurrency.NewSemaphore(2*largeBody*jsonWeight, largeBody*jsonWeight)
		var slow []*io.PipeWriter
		ended := make(chan error)
		for range 10 {
			source, client := io.Pipe()
			slow = append(slow, client)
			a := newSpooledBody(t.Context(), memory, "a", source)
			go func() {
				_, err := a.readAll()
				a.release()
				ended <- err
			}()
			go io.WriteString(client, text(largeBody-16))
		}
		synctest.Wait()
		quick := newSpooledBody(t.Context(), memory, "a", strings.NewReader(text(largeBody)))
		defer quick.release()
		if _, err := quick.readAll(); err != nil {
			t.Errorf("a body that was received: %v", err)
		}
		for _, client := range slow {
			client.CloseWithError(io.ErrUnexpectedEOF)
			if err := <-ended; err == nil {
				t.Error("an incomplete body was accepted")
			}
		}
	})
}

func TestSpooledBody_WaitsForMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		memory := concurrency.NewSemaphore(2*largeBody*jsonWeight, largeBody*jsonWeight)
		first := newSpooledBody(t.Context(), memory, "a", strings.NewReader(text(largeBody)))
		if _, err := first.readAll(); err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		refused := newSpooledBody(t.Context(), memory, "a", strings.NewReader(text(largeBody)))
		_, err := refused.readAll()
		refused.release()
		if f, ok := fault.As(err); !ok || f.Code != fault.Unavailable || f.RetryAfter == 0 ||
			time.Since(begun) != bodyWait {
			t.Errorf("after %v: %v, want unavailable after %v", time.Since(begun), err, bodyWait)
		}
		begun = time.Now()
		for _, body := range []*spooledBody{
			newSpooledBody(t.Context(), memory, "b", strings.NewReader(text(largeBody))),
			newSpooledBody(t.Context(), memory, "a", bytes.NewReader([]byte("{}"))),
		} {
			if _, err := body.readAll(); err != nil || time.Since(begun) != 0 {
				t.Errorf("body of another account, or small body: %v after %v", err, time.Since(begun))
			}
			body.release()
		}
		go func() {
			time.Sleep(time.Second)
			first.release()
		}()
		next := newSpooledBody(t.Context(), memory, "a", strings.NewReader(text(largeBody)))
		defer next.release()
		if _, err := next.readAll(); err != nil || time.Since(begun) != time.Second {
			t.Errorf("next body: %v after %v", err, time.Since(begun))
		}
	})
}

func TestSpooledBody_TempDirMissing(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
	a := newSpooledBody(t.Context(), concurrency.NewSemaphore(bodyMemory, accountBodyMemory), "a",
		strings.NewReader(text(largeBody)))
	defer a.release()
	if _, err := a.readAll(); err == nil || !strings.Contains(err.Error(), "set TMPDIR") {
		t.Errorf("got %v", err)
	}
}
