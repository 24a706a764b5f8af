package api_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	server "github.com/cardvault/cardvault/gen/server/v1"
)

func TestLimitReads_LimitsConcurrentReadsOfAccount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		running, finish := make(chan struct{}, 100), make(chan struct{})
		h := reading()
		h.listCards = func(context.Context, server.ListCardsRequestObject) (server.ListCardsResponseObject, error) {
			running <- struct{}{}
			<-finish
			return server.ListCards200JSONResponse{Data: []server.Card{}}, nil
		}
		s := setup(t, h)
		responses := make(chan *http.Response)
		for range 60 {
			go func() {
				resp, _ := s.do(t, request("GET", "/api/cards?q=em", ""))
				responses <- resp
			}()
		}
		synctest.Wait()
		if len(running) != 6 {
			t.Errorf("%d reads of one account are running, want 6", len(running))
		}
		r := request("GET", "/api/cards/"+cardID, "", "Authorization", "Bearer other")
		if resp, _ := s.do(t, r); resp.StatusCode != http.StatusOK {
			t.Errorf("read of another account: got %d, want 200", resp.StatusCode)
		}
		r = request("PATCH", "/api/cards/"+cardID, `{"notes":"x"}`)
		if resp, body := s.do(t, r); resp.StatusCode != http.StatusOK {
			t.Errorf("write of the account: got %d %s, want 200", resp.StatusCode, body)
		}
		for range 54 {
			resp := <-responses
			if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") != "1" {
				t.Fatalf("read that waited too long: got %d, Retry-After %q; want 429, 1", resp.StatusCode,
					resp.Header.Get("Retry-After"))
			}
		}
		close(finish)
		for range 6 {
			if resp := <-responses; resp.StatusCode != http.StatusOK {
				t.Errorf("running read: got %d, want 200", resp.StatusCode)
			}
		}
		if resp, _ := s.do(t, request("GET", "/api/cards", "")); resp.StatusCode != http.StatusOK {
			t.Errorf("read afterwards: got %d, want 200", resp.StatusCode)
		}
	})
}

func TestLimitReads_WaitsForRunningReads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := reading()
		h.listCards = func(context.Context, server.ListCardsRequestObject) (server.ListCardsResponseObject, error) {
			time.Sleep(time.Second)
			return server.ListCards200JSONResponse{Data: []server.Card{}}, nil
		}
		s := setup(t, h)
		responses := make(chan int)
		for range 18 {
			go func() {
				resp, _ := s.do(t, request("GET", "/api/cards", ""))
				responses <- resp.StatusCode
			}()
		}
		for range 18 {
			if status := <-responses; status != http.StatusOK {
				t.Errorf("got %d", status)
			}
		}
	})
}
