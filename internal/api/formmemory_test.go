package api

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/upload"
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
	return v.newFormBody(nil, &operation{files: map[string]int{"photos": 3}, maxBody: 1 << 30}, account)
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
	b.release()
	if _, ok := v.memory.TryAcquire("a", 1<<40); !ok {
		t.Error("the memory is not released")
	}
	if _, err := b.form.Files[0].ReadAt(make([]byte, 1), 0); err == nil {
		t.Error("the file is not closed")
	}
}

// A form occupies storage for what has arrived, whatever length it announces, until it is released.
func TestFormBody_ReservesStorage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := newValidator()
		v.storage = upload.NewStorage(1<<30, 2<<20) // the form has a little more than 1 MiB
		for _, announced := range []int64{-1, 1 << 29, 0} {
			r := formRequest(t)
			r.ContentLength = announced
			b := newTestFormBody(v, "a")
			if err := b.receive(r); err != nil {
				t.Errorf("announced %d: %v", announced, err)
			}
			second := newTestFormBody(v, "a")
			if err := second.receive(formRequest(t)); !fault.Is(err, fault.Unavailable) {
				t.Errorf("announced %d: the second form got %v, want unavailable", announced, err)
			}
			second.release()
			b.release()
		}
	})
}

func TestFormBody_WaitsForMemoryAndStorage(t *testing.T) {
	t.Parallel()
	for name, occupy := range map[string]func(*testing.T, validator) error{
		"memory": func(t *testing.T, v validator) error {
			_, err := v.memory.Acquire(t.Context(), "a", 1<<40)
			return err
		},
		"storage": func(t *testing.T, v validator) error {
			body := v.storage.Reader(t.Context(), strings.NewReader("occupies a part of it"), "a")
			_, err := body.Read(make([]byte, 1))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				v := newValidator()
				v.storage = upload.NewStorage(4<<20, 2<<20)
				if err := occupy(t, v); err != nil {
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
