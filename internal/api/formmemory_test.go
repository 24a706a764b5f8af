package api

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/keyed"
)

const largePhoto = 1 << 20

// formRequest returns a request with a form of three photos, of which one is large.
func formRequest(t *testing.T) *http.Request {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, size := range []int{100, largePhoto, 100} {
		file, err := w.CreateFormFile("photos", "a.jpg")
		if err != nil {
			t.Fatal(err)
		}
		file.Write(make([]byte, size))
	}
	w.Close()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", &body)
	r.Header.Set("Content-Type", w.FormDataContentType())
	return r
}

// newTestFormBody returns a body whose operation takes three photos.
func newTestFormBody(v validator, account string) *formBody {
	return v.newFormBody(&operation{files: map[string]int{"photos": 3}, maxBody: 1 << 30}, account)
}

func TestFormBody_ReservesLargestFile(t *testing.T) {
	t.Parallel()
	v := newValidator()
	r := formRequest(t)
	b := newTestFormBody(v, "a")
	if err := b.receive(r); err != nil {
		t.Fatal(err)
	}
	if _, ok := v.memory.TryAcquire("a", accountBodyMemory-largePhoto*pictureWeight+1); ok {
		t.Error("the memory of the largest photo is not reserved")
	}
	held, ok := v.memory.TryAcquire("a", accountBodyMemory-largePhoto*pictureWeight)
	if !ok {
		t.Fatal("more memory is reserved than the largest photo needs")
	}
	held.Release()
	if _, ok := v.storage.TryAcquire("a", accountFormStorage-r.ContentLength+1); ok {
		t.Error("the storage of the form is not reserved")
	}
	b.release()
	for name, resource := range map[string]*keyed.Semaphore{"memory": v.memory, "storage": v.storage} {
		if _, ok := resource.TryAcquire("a", 1<<40); !ok {
			t.Errorf("the %s is not released", name)
		}
	}
	if _, err := b.form.Files[0].ReadAt(make([]byte, 1), 0); err == nil {
		t.Error("the file is not closed")
	}
}

func TestFormBody_ReservesMaximumOfUnknownLength(t *testing.T) {
	t.Parallel()
	v := newValidator()
	r := formRequest(t)
	r.ContentLength = -1
	b := newTestFormBody(v, "a")
	defer b.release()
	if err := b.receive(r); err != nil {
		t.Fatal(err)
	}
	if _, ok := v.storage.TryAcquire("a", 1); ok {
		t.Error("the storage for the longest form is not reserved")
	}
}

func TestFormBody_WaitsForMemoryAndStorage(t *testing.T) {
	t.Parallel()
	for name, resource := range map[string]func(validator) *keyed.Semaphore{
		"memory":  func(v validator) *keyed.Semaphore { return v.memory },
		"storage": func(v validator) *keyed.Semaphore { return v.storage },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				v := newValidator()
				if _, err := resource(v).Acquire(t.Context(), "a", 1<<40); err != nil {
					t.Fatal(err)
				}
				begun := time.Now()
				b := newTestFormBody(v, "a")
				err := b.receive(formRequest(t))
				b.release()
				if f, ok := fault.As(err); !ok || f.Code != fault.Unavailable || f.RetryAfter == 0 ||
					time.Since(begun) != bodyWait {
					t.Errorf("after %v: %v, want unavailable after %v", time.Since(begun), err, bodyWait)
				}
				other := newTestFormBody(v, "b")
				defer other.release()
				if err := other.receive(formRequest(t)); err != nil {
					t.Errorf("the form of another account: %v", err)
				}
			})
		})
	}
}

// A slow client holds storage for what it sends, and no memory.
func TestFormBody_SlowClientReservesNoMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := newValidator()
		r := formRequest(t)
		body, client := io.Pipe()
		r.Body = body
		b := newTestFormBody(v, "a")
		defer b.release()
		ended := make(chan error)
		go func() { ended <- b.receive(r) }()
		synctest.Wait()
		held, ok := v.memory.TryAcquire("a", accountBodyMemory)
		if !ok {
			t.Fatal("a form that has not arrived reserves memory")
		}
		held.Release()
		client.CloseWithError(io.ErrUnexpectedEOF)
		if err := <-ended; !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("an incomplete form: %v, want invalid_request", err)
		}
	})
}
