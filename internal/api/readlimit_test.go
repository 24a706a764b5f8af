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
		answers := make(chan *http.Response)
		for range 60 {
			go func() {
				resp, _ := s.do(t, request("GET", "/api/cards?q=em", ""))
				answers <- resp
			}()
		}
		synctest.Wait()
		if len(running) != 6 {
			t.Errorf("%d reads of one account run, want 6", len(running))
		}
		if resp, _ := s.do(t, request("GET", "/api/cards/"+cardID, "", "Authorization", "Bearer other")); resp.StatusCode != http.StatusOK {
			t.Errorf("another account gets %d", resp.StatusCode)
		}
		if resp, body := s.do(t, request("PATCH", "/api/cards/"+cardID, `{"notes":"x"}`)); resp.StatusCode != http.StatusOK {
			t.Errorf("a write of the account gets %d %s", resp.StatusCode, body)
		}
		for range 54 {
			resp := <-answers
			if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") != "1" {
				t.Fatalf("a read that waited too long gets %d, Retry-After %q", resp.StatusCode, resp.Header.Get("Retry-After"))
			}
		}
		close(finish)
		for range 6 {
			if resp := <-answers; resp.StatusCode != http.StatusOK {
				t.Errorf("a read that ran gets %d", resp.StatusCode)
			}
		}
		if resp, _ := s.do(t, request("GET", "/api/cards", "")); resp.StatusCode != http.StatusOK {
			t.Errorf("afterwards a read gets %d", resp.StatusCode)
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
		answers := make(chan int)
		for range 18 {
			go func() {
				resp, _ := s.do(t, request("GET", "/api/cards", ""))
				answers <- resp.StatusCode
			}()
		}
		for range 18 {
			if status := <-answers; status != http.StatusOK {
				t.Errorf("got %d", status)
			}
		}
	})
}
