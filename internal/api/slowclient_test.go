package api_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	server "github.com/cardvault/cardvault/gen/server/v1"
)

// slowClient is the writer of a client that receives nothing until it is released.
type slowClient struct {
	*httptest.ResponseRecorder
	released <-chan struct{}
}

func (c slowClient) Write(p []byte) (int, error) {
	<-c.released
	return c.ResponseRecorder.Write(p)
}

// A client that receives its response slowly holds neither the memory of its request's body nor a read of its account.
func TestServer_SlowClientsHoldNothing(t *testing.T) {
	t.Parallel()
	h := reading()
	h.createCards = func(context.Context, server.CreateCardsRequestObject) (server.CreateCardsResponseObject, error) {
		return server.CreateCards201JSONResponse{
			Data: []server.Card{card()}, Outcomes: []server.ImportOutcome{server.ImportOutcomeCreated},
		}, nil
	}
	for name, newRequest := range map[string]func() *http.Request{
		"read":       func() *http.Request { return request(http.MethodGet, "/api/cards", "") },
		"large body": func() *http.Request { return request(http.MethodPost, "/api/cards", largeCards) },
		"refused body": func() *http.Request {
			return request(http.MethodPost, "/api/cards", largeCards[:len(largeCards)-len(" }")])
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s, released := setup(t, h), make(chan struct{})
				for range 8 {
					go s.ServeHTTP(slowClient{httptest.NewRecorder(), released}, newRequest())
				}
				synctest.Wait()
				begun := time.Now()
				quick := httptest.NewRecorder()
				s.ServeHTTP(quick, newRequest())
				if waited := time.Since(begun); waited > 0 || quick.Code == http.StatusServiceUnavailable {
					t.Errorf("got %d after %s: %s", quick.Code, waited, quick.Body)
				}
				close(released)
			})
		})
	}
}

// largeCards is a body that occupies more than half of the memory of an account.
var largeCards = `{"cards": [{"notes": "a"}]` + strings.Repeat(" ", 7<<20) + " }"
