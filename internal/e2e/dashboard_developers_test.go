package e2e

import (
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/users"
	"github.com/cardvault/cardvault/internal/webhooks"
)

const webhooksPage = "/developers/webhooks"

var (
	webhookLink   = regexp.MustCompile(webhooksPage + `/whe_\w+`)
	deliveryLink  = regexp.MustCompile(`/developers/deliveries/dlv_\w+`)
	eventLink     = regexp.MustCompile(`/developers/events/evt_\w+`)
	endSecretForm = regexp.MustCompile(`action="(` + webhooksPage + `/whe_\w+/secrets/whs_\w+/end)"`)
	shownSecret   = regexp.MustCompile(`<code>(whsec_[\w-]+)</code>`)
)

// found returns the first match in a page, of the expression's group if it has one.
func (p page) found(t *testing.T, expression *regexp.Regexp) string {
	t.Helper()
	matches := expression.FindStringSubmatch(p.body)
	if matches == nil {
		t.Fatalf("the page does not have %s: %d\n%s", expression, p.StatusCode, p.body)
	}
	return matches[len(matches)-1]
}

// lacks checks that the page does not contain the text.
func (p page) lacks(t *testing.T, text string) {
	t.Helper()
	if strings.Contains(p.body, text) {
		t.Errorf("%s contains %q:\n%s", p.Request.URL.Path, text, p.body)
	}
}

func TestDashboard_ManageWebhook(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Owner)
	b.want(b.get(webhooksPage), http.StatusOK, "There are no webhooks yet", `value="listing.sold" checked`,
		`value="card.updated"> `)
	b.want(b.post(webhooksPage, "url", `ftp://"><script>`, "events", "listing.sold"), http.StatusUnprocessableEntity,
		"The address must", `value="ftp://&#34;&gt;&lt;script&gt;"`)
	b.want(b.post(webhooksPage, "url", "http://127.0.0.1:9999/é", "events", "listing.sold"),
		http.StatusUnprocessableEntity, "percent-encode")
	b.want(b.post(webhooksPage, "url", "http://127.0.0.1:9999/"), http.StatusUnprocessableEntity,
		"choose at least one kind", `value="http://127.0.0.1:9999/"`)
	b.want(b.post(webhooksPage, "url", "http://127.0.0.1:9999/", "events", "card.eaten"),
		http.StatusUnprocessableEntity, "is not an event")

	made := b.post(webhooksPage, "url", "http://127.0.0.1:9999/a", "events", "listing.sold", "events", "card.priced")
	b.want(made, http.StatusOK, "It is not shown again.")
	secret, path := made.found(t, shownSecret), made.found(t, webhookLink)
	b.get(webhooksPage).lacks(t, secret)
	b.want(b.get(path), http.StatusOK, "Nothing was sent yet", `value="card.priced" checked`)
	b.wantRedirect(b.post(path, "url", "http://127.0.0.1:9998/b", "events", "listing.ended"), path+"?saved=true")
	var got webhook
	c.do("GET", strings.TrimPrefix(path, "/developers"), nil).want(t, http.StatusOK, &got)
	if got.URL != "http://127.0.0.1:9998/b" || len(got.Events) != 1 || got.Events[0] != "listing.ended" {
		t.Errorf("after the change: %+v", got)
	}
	b.want(b.post(path, "url", "mailto:a@b.example", "events", "listing.ended"), http.StatusUnprocessableEntity,
		"The address must", `value="mailto:a@b.example"`)

	b.wantRedirect(b.post(path+"/disable"), path)
	b.want(b.get(path), http.StatusOK, "Enable the webhook to send a test event.", "disabled")
	b.want(b.post(path+"/test"), http.StatusConflict, "The webhook is disabled.")
	b.wantRedirect(b.post(path+"/enable"), path)
	b.want(b.post(path+"/rotate", "grace", "604801"), http.StatusBadRequest, "grace")
	rotated := b.post(path+"/rotate", "grace", "3600")
	b.want(rotated, http.StatusOK, "signs too until")
	if second := rotated.found(t, shownSecret); second == secret {
		t.Error("the secret is the same after the rotation")
	}
	b.get(path).lacks(t, "whsec_")
	ended := b.get(path).found(t, endSecretForm)
	b.wantRedirect(b.post(ended), path)
	b.want(b.post(ended), http.StatusNotFound, "no previous secret")
	b.get(path).lacks(t, "signs too until")
	for range 4 {
		b.want(b.post(path+"/rotate", "grace", "3600"), http.StatusOK)
	}
	b.want(b.post(path+"/rotate", "grace", "3600"), http.StatusConflict, "The oldest one", "signs until")

	b.want(b.get(path+"/delete"), http.StatusOK, "No delivery waits.", "This cannot be undone.")
	b.wantRedirect(b.post(path+"/delete"), webhooksPage+"?deleted=true")
	b.want(b.get(webhooksPage+"?deleted=true"), http.StatusOK, "The webhook is deleted.", "There are no webhooks yet")
	b.want(b.get(path), http.StatusNotFound)
}

func TestDashboard_Deliveries(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *config.Config) { c.WebhookRetryDelays = []time.Duration{time.Millisecond} })
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Owner)
	var status atomic.Int32
	status.Store(http.StatusTeapot)
	const list = "/developers/deliveries"
	b.want(b.get(list), http.StatusOK, "Nothing was sent yet")
	made := b.post(webhooksPage, "url", receiver(t, &status), "events", "card.identified")
	hook := made.found(t, webhookLink)
	id := strings.TrimPrefix(hook, webhooksPage+"/")
	card := c.create(`{"identification":{"title":"<script>alert(1)</script>"}}`)
	eventually(t, "the delivery is dropped", func() bool {
		return strings.Contains(b.get(list+"?state=dropped").body, "card.identified</a>")
	})
	b.want(b.get(hook), http.StatusOK, "Last seven days", "0 % arrived: 0 of 1 finished deliveries",
		"The answer was 418. Open the delivery to read the answer, and mend the receiver.")
	b.want(b.get(webhooksPage), http.StatusOK, "418")
	for _, filter := range []string{"?webhook=" + id, "?event=card.identified", "?state=dropped&webhook=" + id} {
		b.want(b.get(list+filter), http.StatusOK, "card.identified</a>", "418")
	}
	for _, filter := range []string{"?state=pending", "?event=listing.sold", "?state=delivered&webhook=" + id} {
		b.want(b.get(list+filter), http.StatusOK, "No delivery matches")
	}
	b.want(b.get(list+"?state=%3Cb%3Elost"), http.StatusBadRequest, `id="e-state">must be one of`)
	b.want(b.get(list+"?event=card.eaten"), http.StatusBadRequest, `id="e-event">must be the kind of an event`)
	b.want(b.get(list+"?cursor=x"), http.StatusBadRequest)

	path := b.get(list).found(t, deliveryLink)
	shown := b.get(path)
	b.want(shown, http.StatusOK, "attempt 1 ·", "attempt 2 ·", "Answered 418", "got\uFFFDit", card.ID)
	shown.lacks(t, "<script>alert")
	b.want(b.get(shown.found(t, eventLink)), http.StatusOK, card.ID, "&#34;event&#34;: &#34;card.identified&#34;")

	b.want(b.post(hook+"/resend-dropped", "since", "yesterday"), http.StatusUnprocessableEntity,
		"The time must be a date and a time")
	b.wantRedirect(b.post(hook+"/resend-dropped", "since", "2999-01-01T00:00"), hook+"?resent=0&more=false")
	status.Store(http.StatusNoContent)
	b.wantRedirect(b.post(hook+"/resend-dropped", "since", "2026-01-01T00:00"), hook+"?resent=1&more=false")
	delivered := func() bool { return strings.Contains(b.get(path).body, "state-delivered") }
	eventually(t, "the delivery arrives", delivered)
	b.want(b.get(hook+"?resent=1&more=false"), http.StatusOK, "Dropped deliveries that are sent again: 1.",
		"100 % arrived: 1 of 1 finished deliveries")
	b.wantRedirect(b.post(path+"/resend"), path+"?resent=true")
	eventually(t, "the delivery arrives again", delivered)

	test := b.post(hook+"/test", "event", "card.identified")
	tested := test.Header.Get("Location")
	eventually(t, "the test event arrives", func() bool {
		return strings.Contains(b.get(tested).body, "state-delivered")
	})
	b.want(b.get(tested), http.StatusOK, "was made up for a test")
	b.want(b.post(tested+"/resend"), http.StatusNotFound, "Send another test event.")
	b.wantRedirect(b.post(hook+"/delete"), webhooksPage+"?deleted=true")
	b.want(b.get(path), http.StatusOK, "<dd>deleted</dd>")
	b.want(b.get(list), http.StatusOK, "a deleted webhook")
}

func TestDashboard_DeliveriesInPages(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Owner)
	made, _, err := s.Endpoints.Register(t.Context(), c.account, "http://127.0.0.1:9999/", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Endpoints.Disable(t.Context(), c.account, made.ID); err != nil {
		t.Fatal(err)
	}
	for range 26 { // 52 deliveries: of card.identified, and of the change of the status
		c.create(`{"identification":{"title":"Ember Fox"}}`)
	}
	for _, filter := range []string{"?state=pending", "?state=pending&webhook=" + made.ID} {
		first := b.get("/developers/deliveries" + filter)
		next := strings.ReplaceAll(first.found(t, regexp.MustCompile(`href="([^"]+)" rel="next"`)), "&amp;", "&")
		second := b.get(next)
		b.want(second, http.StatusOK, "First page")
		all := append(deliveryLink.FindAllString(first.body, -1), deliveryLink.FindAllString(second.body, -1)...)
		seen := map[string]bool{}
		for _, link := range all {
			seen[link] = true
		}
		if len(all) != 52 || len(seen) != 52 {
			t.Errorf("%s: %d deliveries, %d different ones, want 52", filter, len(all), len(seen))
		}
	}
	b.want(b.get(webhooksPage+"/"+made.ID+"/delete"), http.StatusOK, "Waiting deliveries that are dropped: 52.")
}

func TestDashboard_Events(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	b := s.browser(t, c.account, users.Owner)
	const list = "/developers/events"
	b.want(b.get(list), http.StatusOK, "Nothing has happened yet")
	card := c.create(`{"identification":{"title":"<script>alert(1)</script>"}}`)
	other := c.create(`{"identification":{"title":"Dusk Fox"}}`)
	all := b.get(list)
	b.want(all, http.StatusOK, "&lt;script&gt;alert(1)&lt;/script&gt;", "Dusk Fox")
	all.lacks(t, "<script>alert")
	one := b.get(list + "?card_id=" + card.ID)
	b.want(one, http.StatusOK, card.ID)
	one.lacks(t, other.ID)
	b.want(b.get(list+"?event=listing.sold"), http.StatusOK, "No event matches")
	b.want(b.get(list+"?event=card.identified&card_id="+card.ID), http.StatusOK, card.ID)
	b.want(b.get(list+"?card_id=%3Cb%3E"), http.StatusBadRequest, `id="e-card_id">must be a card identifier`,
		`value="&lt;b&gt;"`)
	b.want(b.get(list+"?event=card.eaten"), http.StatusBadRequest, `id="e-event">must be the kind of an event`)
	b.want(b.get(list+"/evt_unknown"), http.StatusNotFound)
}

// Owners of another account get 404, members and requests without a session no page at all.
func TestDashboard_DevelopersOfThisAccountOnly(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, true)
	owned := c.own()
	eve := s.browser(t, s.client(t, false).account, users.Owner)
	member := s.browser(t, c.account, users.Member)
	hook, delivery := webhooksPage+"/"+owned.webhook, "/developers/deliveries/"+owned.delivery
	gets := []string{hook, hook + "/delete", delivery, "/developers/deliveries?webhook=" + owned.webhook,
		"/developers/events/" + owned.event, webhooksPage + "/%00", "/developers/deliveries?webhook=%00"}
	posts := []string{hook + "/disable", hook + "/enable", hook + "/rotate", hook + "/test",
		hook + "/secrets/" + owned.secret + "/end", hook + "/resend-dropped",
		hook + "/delete", hook, delivery + "/resend"}
	for _, path := range gets {
		eve.want(eve.get(path), http.StatusNotFound)
		member.want(member.get(path), http.StatusForbidden, "Only owners of the account can do this.")
	}
	for _, path := range posts {
		form := []string{"url", "http://127.0.0.1:9999/", "events", "listing.sold", "grace", "0"}
		eve.want(eve.post(path, form...), http.StatusNotFound)
		member.want(member.post(path, form...), http.StatusForbidden)
	}
	for _, path := range []string{webhooksPage, "/developers/deliveries", "/developers/events"} {
		page := eve.get(path)
		eve.want(page, http.StatusOK)
		for _, id := range []string{owned.webhook, owned.delivery, owned.event, owned.card} {
			page.lacks(t, id)
		}
		member.want(member.get(path), http.StatusForbidden)
	}
	kept, err := s.Endpoints.Get(t.Context(), c.account, owned.webhook)
	if err != nil || kept.Enabled || len(kept.PreviousSecrets) != 1 {
		t.Errorf("the webhook is %+v, %v, want it unchanged", kept, err)
	}
	left, _, err := s.Deliveries.List(t.Context(), webhooks.Filter{Account: c.account, State: webhooks.Pending})
	if err != nil || len(left) == 0 {
		t.Errorf("waiting deliveries: %v, %v, want them unchanged", left, err)
	}
}
