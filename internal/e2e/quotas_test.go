package e2e

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/quota"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/users"
)

// limit sets the quotas of the account.
func (c *client) limit(quotas string) {
	c.t.Helper()
	own, err := quota.Parse(quotas)
	if err == nil {
		err = c.service.Accounts.SetQuotas(c.t.Context(), c.account, own)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// quotaNumbers is the detail of a refusal: which quota, what it is, what the account has and what was to be added.
var quotaNumbers = regexp.MustCompile(`^limit [1-9]\d*, used \d+, added [1-9]\d*$`)

// full checks that a request is refused because of a quota, and that the response names it with its numbers.
func (c *client) full(kind quota.Kind, method, path string, body any, headers ...string) {
	c.t.Helper()
	got := c.do(method, path, body, headers...)
	got.refused(c.t, "quota_exceeded")
	var refusal struct {
		Error struct {
			Details []struct{ Field, Message string }
		}
	}
	got.want(c.t, http.StatusForbidden, &refusal)
	if d := refusal.Error.Details; len(d) != 1 || d[0].Field != string(kind) ||
		!quotaNumbers.MatchString(d[0].Message) {
		c.t.Errorf("%s %s: the details are %+v, want the field %s with its numbers", method, path, d, kind)
	}
}

// TestQuotas_Refuse checks each operation that adds to what a quota limits.
func TestQuotas_Refuse(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *config.Config) { c.Quotas = "cards=2" })
	c := s.client(t, false)
	mine, other := c.create(`{"identify":false}`), c.create(`{"identify":false}`)
	c.full(quota.Cards, "POST", "/cards", `{"cards":[{}]}`)
	c.full(quota.Cards, "POST", "/cards", `{"cards":[{"copies":3}]}`)
	jpeg := phonePhoto(t, 0)
	c.full(quota.Cards, "POST", "/cards/scan", scanForm(t, []file{{"a.jpg", jpeg}}), formMedia)
	c.do("DELETE", "/cards/"+other.ID, nil).want(t, http.StatusNoContent, nil)
	c.full(quota.Cards, "POST", "/cards", `{"cards":[{"copies":2}]}`) // one of them would fit
	other = c.create(`{"identify":false}`)

	c.limit("card_bytes=20")
	c.do("PATCH", "/cards/"+mine.ID, `{"notes":"twenty bytes of text"}`).want(t, http.StatusOK, nil)
	c.full(quota.CardBytes, "PATCH", "/cards/"+other.ID, `{"notes":"x"}`)
	c.full(quota.CardBytes, "PATCH", "/cards", `{"atomic":true,"updates":[{"id":"`+other.ID+`","notes":"x"}]}`)
	c.limit("photos=1")
	put := []string{"Content-Type: image/jpeg"}
	c.do("PUT", "/cards/"+mine.ID+"/photos/front", jpeg, put...).want(t, http.StatusOK, nil)
	c.do("PUT", "/cards/"+mine.ID+"/photos/front", jpeg, put...).want(t, http.StatusOK, nil)
	c.full(quota.Photos, "PUT", "/cards/"+mine.ID+"/photos/back", jpeg, put...)
	c.limit("photo_bytes=" + fmt.Sprint(len(jpeg)*2-1))
	c.full(quota.PhotoBytes, "PUT", "/cards/"+mine.ID+"/photos/back", jpeg, put...)

	c.limit("endpoints=1")
	c.do("POST", "/webhooks", `{"url":"http://127.0.0.1:9999/a"}`).want(t, http.StatusCreated, nil)
	c.full(quota.Endpoints, "POST", "/webhooks", `{"url":"http://127.0.0.1:9999/b"}`)

	c.limit("jobs=1")
	done, _ := c.run(`{"kind":"update","card_ids":["` + mine.ID + `"],"patch":{"location":"Box 1"}}`)
	_, err := s.DB.Exec(t.Context(), `
		INSERT INTO job_work (account_id, job_id, due_at) VALUES ($1, 'job_x', now() + interval '1 day')`, c.account)
	if err != nil {
		t.Fatal(err)
	}
	c.full(quota.Jobs, "POST", "/jobs", `{"kind":"archive","card_ids":["`+mine.ID+`"]}`)
	c.full(quota.Jobs, "POST", "/jobs/"+done.ID+"/undo", nil)
}

// TestQuotas_FetchedPhoto checks that a photo from a URL fails if its account has no room for it.
func TestQuotas_FetchedPhoto(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	c.limit("photo_bytes=1KiB")
	made := c.create(`{"identify":false,"photos":[{"url":"` + photoServer(t, 1) + `","role":"front"}]}`)
	eventually(t, "the photo has failed", func() bool {
		var found struct {
			Photos []struct{ Status, Failure string }
		}
		c.do("GET", "/cards/"+made.ID, nil).want(t, http.StatusOK, &found)
		return found.Photos[0].Status == "failed"
	})
}

// TestQuotas_TokensAndUsers checks the bounds of tokens and users. A token in its grace period counts, and a rotation
// without one is always possible. An invitation counts as a user.
func TestQuotas_TokensAndUsers(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *config.Config) { c.Quotas = "tokens=2,users=2" })
	ctx := t.Context()
	account, err := s.Accounts.Create(ctx, "Small", false)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(step string, err error) {
		t.Helper()
		if !fault.Is(err, fault.QuotaExceeded) {
			t.Errorf("%s: got %v, want quota_exceeded", step, err)
		}
	}
	first, _, err := s.Accounts.CreateToken(ctx, account.ID, "a", ratelimit.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if first, _, err = s.Accounts.RotateToken(ctx, first.ID, 1<<40); err != nil {
		t.Fatalf("rotate with a grace period below the quota: %v", err)
	}
	_, _, err = s.Accounts.CreateToken(ctx, account.ID, "b", ratelimit.Limits{})
	refused("a third token", err)
	_, _, err = s.Accounts.RotateToken(ctx, first.ID, 1<<40)
	refused("rotate with a grace period", err)
	if first, _, err = s.Accounts.RotateToken(ctx, first.ID, 0); err != nil {
		t.Errorf("rotate without a grace period: %v", err)
	}
	if _, err = s.Accounts.RevokeToken(ctx, first.ID); err != nil {
		t.Error(err)
	}
	if _, _, err = s.Accounts.CreateToken(ctx, account.ID, "b", ratelimit.Limits{}); err != nil {
		t.Errorf("after a revocation: %v", err)
	}

	if _, err = s.Users.Create(ctx, account.ID, "a@example.com", users.Owner, ""); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second replaces the first
		if _, err = s.Users.Invite(ctx, account.ID, "b@example.com", users.Member); err != nil {
			t.Fatal(err)
		}
	}
	_, err = s.Users.Invite(ctx, account.ID, "c@example.com", users.Member)
	refused("a third user", err)
	_, err = s.Users.Create(ctx, account.ID, "c@example.com", users.Member, "")
	refused("a third user by the operator", err)
	list, err := s.Accounts.Quotas(ctx, account.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := map[quota.Kind]accounts.QuotaUse{
		quota.Tokens: {Kind: quota.Tokens, Used: 2, Limit: 2}, quota.Users: {Kind: quota.Users, Used: 2, Limit: 2},
	}
	for _, use := range list {
		if w, ok := want[use.Kind]; ok && use != w {
			t.Errorf("got %+v, want %+v", use, w)
		}
	}
}
