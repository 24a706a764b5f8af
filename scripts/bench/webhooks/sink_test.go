package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/webhooks"
)

func TestSink_CountsDuplicatesAndInvalidRequests(t *testing.T) {
	t.Parallel()
	s := &Sink{}
	if err := s.Expect(Expectation{Secrets: map[string]string{"/a": "secret"}, Count: 2}, nil); err != nil {
		t.Fatal(err)
	}
	post := func(path, secret string, number int) {
		body, err := rawBody(number, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(string(body)))
		r.Header.Set(webhooks.Header, webhooks.Sign(secret, time.Now(), body))
		s.ServeHTTP(httptest.NewRecorder(), r)
	}
	post("/a", "other", 0)
	post("/b", "secret", 0)
	post("/a", "secret", 2)
	post("/a", "secret", 0)
	post("/a", "secret", 0)

	var got Arrivals
	if err := s.Wait(0, &got); err != nil {
		t.Fatal(err)
	}
	if got.At[0] == 0 || got.At[1] != 0 || got.Duplicates != 1 || got.Wrong != 3 {
		t.Errorf("%+v", got)
	}
	if err := got.check(); err == nil {
		t.Error("a missing event is not reported")
	}
	post("/a", "secret", 1)
	if err := s.Wait(time.Minute, &got); err != nil {
		t.Fatal(err)
	}
	if got.Wrong = 0; got.check() != nil {
		t.Errorf("everything has come: %v", got.check())
	}
}
