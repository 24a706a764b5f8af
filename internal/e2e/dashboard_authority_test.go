package e2e

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/dashboard"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/users"
)

// ownersForms are valid forms of the routes for owners that refuse an empty one, as names and values.
var ownersForms = map[string][]string{
	"/developers/tokens":               {"name", "till", "scope-read", "on"},
	"/developers/tokens/{id}/rotate":   {"grace", "0"},
	"/developers/webhooks":             {"url", "https://receiver.example/hook", "events", "card.identified"},
	"/developers/webhooks/{id}":        {"url", "https://receiver.example/other", "events", "card.identified"},
	"/developers/webhooks/{id}/rotate": {"grace", "0"},
	"/developers/webhooks/{id}/test":   {"event", "card.identified"},
	"/settings":                        {"name", "Another name", "currency", "EUR", "time_zone", "UTC"},
	"/settings/users":                  {"email", "dora@example.com", "role", "member"},
	"/settings/users/{id}/role":        {"role", "owner"},
	"/settings/delete":                 {"name", "account", "password", browserPassword},
}

// TestDashboard_ChecksOwnerInTransaction removes the owner after the role was read for a request, in a transaction that
// commits when the request waits for it. No change for owners is made. A route of a new page is tested without a change
// here, if it takes an empty form.
func TestDashboard_ChecksOwnerInTransaction(t *testing.T) {
	t.Parallel()
	s := start(t)
	mine := s.shop(t)
	_, err := s.Accounts.Update(t.Context(), mine.account, func(c *accounts.Change) { c.Name = "account" })
	if err != nil {
		t.Fatal(err)
	}
	owner := s.browser(t, mine.account, users.Owner)
	s.browser(t, mine.account, users.Member)
	user, err := s.Users.ByEmail(t.Context(), "owner-"+mine.account+"@example.com")
	if err != nil {
		t.Fatal(err)
	}
	before := s.snapshot(t)
	for _, route := range dashboard.Routes(app.Marketplaces...) {
		if route.Access != dashboard.ForOwners || route.Method != http.MethodPost ||
			strings.HasPrefix(route.Path, "/settings/marketplaces/ebay") { // not set up here
			continue
		}
		t.Run(route.Path, func(t *testing.T) {
			refused := 0
			for _, path := range fill(route.Path, func(int) []string { return mine.ids }) {
				got := s.sendWhileRemoved(t, owner.in(t), user.ID, mine.account, path, ownersForms[route.Path])
				switch got.StatusCode {
				case http.StatusForbidden:
					refused++
				case http.StatusNotFound: // the identifier of something else
				default:
					t.Errorf("POST %s: got %d: %s; want 403", path, got.StatusCode, got.body)
				}
			}
			if refused == 0 {
				t.Error("no request reached the change: add a valid form to ownersForms")
			}
		})
	}
	s.unchanged(t, before)
}

// sendWhileRemoved sends a form while another transaction removes the user, and commits it when the request waits for
// it or has its response. Then the user is an owner again.
func (s *service) sendWhileRemoved(
	t *testing.T, b *browser, userID, account, path string, form []string,
) (response page) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	var membership string
	err := s.DB.Get(ctx, &membership,
		`SELECT to_jsonb(m) FROM memberships m WHERE account_id = $1 AND user_id = $2`, account, userID)
	if err != nil {
		t.Fatal(err)
	}
	responded := make(chan page, 1)
	err = s.DB.InTx(ctx, func(tx *postgres.Tx) error {
		if _, err := tx.Exec(ctx,
			`DELETE FROM memberships WHERE account_id = $1 AND user_id = $2`, account, userID); err != nil {
			return err
		}
		go func() { responded <- b.post(path, form...) }()
		eventually(t, "a response or a wait", func() bool {
			waiting := false
			err := s.DB.Get(ctx, &waiting, `
				SELECT EXISTS (SELECT FROM pg_stat_activity
				WHERE datname = current_database() AND wait_event_type = 'Lock')`)
			return err != nil || waiting || len(responded) > 0
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	response = <-responded
	if _, err := s.DB.Exec(ctx, `
		INSERT INTO memberships
		SELECT (jsonb_populate_record(NULL::memberships, $1::jsonb)).*`, membership); err != nil {
		t.Fatal(err)
	}
	return response
}

// A token that is revoked while a request arrives changes nothing, whether the service or the handler reads the body.
func TestAPI_TokenRevokedWhileBodyArrives(t *testing.T) {
	t.Parallel()
	s := start(t)
	photo := string(picture(t, 0))
	for name, tc := range map[string]struct {
		method, path, contentType, begin, end string
	}{
		"JSON":     {"PATCH", "/cards/{id}", "application/json", `{"notes":`, `"x"}`},
		"photo":    {"PUT", "/cards/{id}/photos/front", "image/jpeg", photo[:100], photo[100:]},
		"settings": {"PATCH", "/account", "application/json", `{"name":`, `"x"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := s.client(t, false)
			made := c.create(`{"identify":false}`)
			before := c.get(made.ID)
			slow, secret, err := s.Accounts.CreateToken(t.Context(), c.account, "slow", ratelimit.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			body, client := io.Pipe()
			working := c.token
			c.token = secret
			r := c.request(tc.method, strings.Replace(tc.path, "{id}", made.ID, 1), io.Reader(body),
				"Content-Type: "+tc.contentType)
			responses := make(chan response, 1)
			go func() { responses <- c.send(r) }()
			_, _ = io.WriteString(client, tc.begin)
			eventually(t, "the token is looked up", func() bool {
				token, err := s.Accounts.Token(t.Context(), c.account, slow.ID)
				return err != nil || token.LastUsedAt != nil
			})
			if _, err := s.Accounts.RevokeToken(t.Context(), slow.ID); err != nil {
				t.Fatal(err)
			}
			_, _ = io.WriteString(client, tc.end)
			client.Close()
			(<-responses).refused(t, "revoked_token")
			c.token = working
			if after := c.get(made.ID); after.UpdatedAt != before.UpdatedAt {
				t.Errorf("the card was changed: %+v", after)
			}
		})
	}
}
