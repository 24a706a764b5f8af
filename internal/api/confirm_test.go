package api_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/caller"
)

// revocable is an Authenticator whose tokens can be revoked, or lose all scopes but read.
type revocable struct {
	tokens
	revoked, narrowed atomic.Bool
}

// Authenticate implements api.Authenticator.
func (a *revocable) Authenticate(ctx context.Context, token string) (caller.Caller, error) {
	if a.revoked.Load() {
		token = "revoked"
	}
	who, err := a.tokens.Authenticate(ctx, token)
	if a.narrowed.Load() {
		who.Scopes = []caller.Scope{caller.ReadScope}
	}
	return who, err
}

// A token that ends while the body of a request arrives changes nothing.
func TestConfirm_TokenEndsWhileBodyArrives(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		end  func(*revocable)
		want int
	}{
		"works":    {func(*revocable) {}, http.StatusOK},
		"revoked":  {func(a *revocable) { a.revoked.Store(true) }, http.StatusUnauthorized},
		"narrowed": {func(a *revocable) { a.narrowed.Store(true) }, http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h, called := reading(), false
				update := h.updateCard
				h.updateCard = func(
					ctx context.Context, r server.UpdateCardRequestObject,
				) (server.UpdateCardResponseObject, error) {
					called = true
					return update(ctx, r)
				}
				known := &revocable{}
				s := setup(t, h, func(c *api.Config) { c.Tokens = known })
				body, client := io.Pipe()
				r := request("PATCH", "/api/cards/"+cardID, "-", "Content-Type", "application/json")
				r.Body, r.ContentLength = body, -1
				status := make(chan int)
				go func() {
					resp, _ := s.do(t, r)
					status <- resp.StatusCode
				}()
				_, _ = io.WriteString(client, `{"notes":`)
				synctest.Wait()
				tc.end(known)
				_, _ = io.WriteString(client, `"x"}`)
				client.Close()
				if got := <-status; got != tc.want || called != (tc.want == http.StatusOK) {
					t.Errorf("got %d, handler called: %v; want %d", got, called, tc.want)
				}
			})
		})
	}
}

// A token that is revoked while a read waits for others of its account reads nothing.
func TestConfirm_TokenRevokedWhileReadWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		finish := make(chan struct{})
		var read atomic.Int32
		h := reading()
		h.listCards = func(context.Context, server.ListCardsRequestObject) (server.ListCardsResponseObject, error) {
			read.Add(1)
			<-finish
			return server.ListCards200JSONResponse{Data: []server.Card{}}, nil
		}
		known := &revocable{}
		s := setup(t, h, func(c *api.Config) { c.Tokens, c.Reads = known, 1 })
		bodies := make(chan string, 2)
		for range 2 {
			go func() {
				_, body := s.do(t, request("GET", "/api/cards", ""))
				bodies <- body
			}()
			synctest.Wait()
		}
		known.revoked.Store(true)
		close(finish)
		if first, second := <-bodies, <-bodies; read.Load() != 1 || !strings.Contains(first+second, "revoked_token") {
			t.Errorf("%d reads, responses %s and %s; want the second one refused", read.Load(), first, second)
		}
	})
}
