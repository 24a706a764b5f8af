package e2e

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// webhook is a webhook of the API.
type webhook struct {
	ID      string
	URL     string
	Events  []string
	Enabled bool
	Secret  *string

	PreviousSecrets []previousSecret `json:"previous_secrets"`
}

// previousSecret is a secret of a webhook that was replaced and still signs.
type previousSecret struct {
	ID        string
	ExpiresAt time.Time `json:"expires_at"`
}

// webhookDelivery is an item of GET /webhooks/{id}/deliveries.
type webhookDelivery struct {
	ID           string
	Event        *string
	State        string
	AttemptCount int     `json:"attempt_count"`
	LastError    *string `json:"last_error"`
	Attempts     []struct {
		Attempt         int
		Status          *int
		Error, Response *string
	}
}

// receiver is an endpoint that responds with a status that tests set.
func receiver(t *testing.T, status *atomic.Int32) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(int(status.Load()))
		w.Write([]byte("got\x00it"))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestWebhooks_Manage(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, true)
	var made, replayed, got webhook
	body := `{"url":"http://127.0.0.1:9999/","events":["listing.sold","card.updated","listing.sold"]}`
	c.do("POST", "/webhooks", body, "Idempotency-Key: a").want(t, http.StatusCreated, &made)
	if made.Secret == nil || !strings.HasPrefix(*made.Secret, "whsec_") || !made.Enabled {
		t.Errorf("created %+v, want an enabled webhook with a secret", made)
	}
	if diff := cmp.Diff([]string{"listing.sold", "card.updated"}, made.Events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	c.do("POST", "/webhooks", body, "Idempotency-Key: a").want(t, http.StatusCreated, &replayed)
	if replayed.ID != made.ID || replayed.Secret != nil {
		t.Errorf("replayed %+v, want the same webhook without a secret", replayed)
	}
	var stored int
	err := s.DB.Get(t.Context(), &stored,
		`SELECT count(*) FROM idempotency_keys k WHERE k::text LIKE '%' || $1 || '%'`, *made.Secret)
	if err != nil || stored != 0 {
		t.Errorf("the secret is in %d stored responses, %v", stored, err)
	}

	path := "/webhooks/" + made.ID
	c.do("PATCH", path, `{}`).want(t, http.StatusOK, nil)
	c.do("PATCH", path, `{"url":"http://127.0.0.1:9998/","events":[],"enabled":false}`).want(t, http.StatusOK, nil)
	read := c.do("GET", path, nil).want(t, http.StatusOK, &got)
	want := webhook{
		ID: made.ID, URL: "http://127.0.0.1:9998/", Events: []string{}, PreviousSecrets: []previousSecret{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("webhook (-want +got):\n%s", diff)
	}
	c.do("GET", path, nil, "If-None-Match: "+read.header.Get("ETag")).want(t, http.StatusNotModified, nil)
	c.do("POST", path+"/test", nil).refused(t, "webhook_disabled")

	var rotated webhook
	c.do("POST", path+"/rotate-secret", `{"grace_seconds":0}`).want(t, http.StatusOK, &rotated)
	if rotated.Secret == nil || *rotated.Secret == *made.Secret {
		t.Error("the secret did not change")
	}
	c.do("POST", "/webhooks", `{"url":"http://127.0.0.1:9999/"}`).want(t, http.StatusCreated, nil)
	var first, rest listOf[webhook]
	c.do("GET", "/webhooks?limit=1", nil).want(t, http.StatusOK, &first)
	c.do("GET", "/webhooks?limit=1&cursor="+*first.NextCursor, nil).want(t, http.StatusOK, &rest)
	if len(rest.Data) != 1 || rest.Data[0].ID != made.ID || rest.HasMore {
		t.Errorf("pages %+v, %+v, want the first webhook last", first, rest)
	}
	c.do("DELETE", path, nil).want(t, http.StatusNoContent, nil)
	c.do("GET", path, nil).refused(t, "webhook_not_found")
	c.do("DELETE", path, nil).refused(t, "webhook_not_found")

	_, err = s.DB.Exec(t.Context(), `UPDATE account_clock SET endpoints = 200 WHERE account_id = $1`, c.account)
	if err != nil {
		t.Fatal(err)
	}
	c.do("POST", "/webhooks", body).refused(t, "webhook_limit_reached")
}

// Four previous secrets sign. A fifth is refused until one of them ends.
func TestWebhooks_PreviousSecrets(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	var made, got webhook
	c.do("POST", "/webhooks", `{"url":"http://127.0.0.1:9999/"}`).want(t, http.StatusCreated, &made)
	path := "/webhooks/" + made.ID
	for range 4 {
		c.do("POST", path+"/rotate-secret", `{"grace_seconds":3600}`).want(t, http.StatusOK, &got)
	}
	if len(got.PreviousSecrets) != 4 {
		t.Fatalf("%d previous secrets, want 4", len(got.PreviousSecrets))
	}
	for i, previous := range got.PreviousSecrets[1:] {
		if newer := got.PreviousSecrets[i]; !newer.ExpiresAt.After(previous.ExpiresAt) {
			t.Errorf("previous secret %d ends at %v, the one after it at %v", i, newer.ExpiresAt, previous.ExpiresAt)
		}
	}
	oldest := got.PreviousSecrets[3]
	c.do("POST", path+"/rotate-secret", nil).refused(t, "webhook_secret_limit_reached").
		message(t, "4 previous secrets of the webhook still sign, which is the maximum. The oldest one, "+oldest.ID+
			", signs until "+timestamp.Format(oldest.ExpiresAt)+". Wait until then, or end a previous secret early.")
	c.do("POST", path+"/rotate-secret", `{"grace_seconds":0}`).want(t, http.StatusOK, nil)

	c.do("DELETE", path+"/previous-secrets/"+oldest.ID, nil).want(t, http.StatusNoContent, nil)
	c.do("DELETE", path+"/previous-secrets/"+oldest.ID, nil).refused(t, "webhook_secret_not_found")
	c.do("DELETE", path+"/previous-secrets/x", nil).refused(t, "webhook_secret_not_found")
	c.do("DELETE", "/webhooks/whe_x/previous-secrets/"+oldest.ID, nil).refused(t, "webhook_not_found")
	c.do("GET", path, nil).want(t, http.StatusOK, &got)
	if len(got.PreviousSecrets) != 3 || slices.Contains(got.PreviousSecrets, oldest) {
		t.Errorf("previous secrets %v, want three without %s", got.PreviousSecrets, oldest.ID)
	}
	c.do("POST", path+"/rotate-secret", nil).want(t, http.StatusOK, nil)
}

// Without the switch for development, only public addresses are accepted, on creation and on change.
func TestWebhooks_RefusePrivateAddresses(t *testing.T) {
	t.Parallel()
	c := start(t, func(c *config.Config) {
		c.AllowPrivateNetworks, c.SecretKey = false, base64.StdEncoding.EncodeToString(make([]byte, 32))
	}).client(t, false)
	var made webhook
	c.do("POST", "/webhooks", `{"url":"https://192.0.2.1.invalid/"}`).want(t, http.StatusCreated, &made)
	for _, url := range []string{
		"https://127.0.0.1/", "https://10.0.0.1/", "https://[::1]/", "https://169.254.169.254/", "http://shop.example/",
	} {
		c.do("POST", "/webhooks", `{"url":"`+url+`"}`).refused(t, "invalid_request")
		c.do("PATCH", "/webhooks/"+made.ID, `{"url":"`+url+`"}`).refused(t, "invalid_request")
	}
}

func TestWebhooks_Deliveries(t *testing.T) {
	t.Parallel()
	c := start(t, func(c *config.Config) { c.WebhookRetryDelays = []time.Duration{time.Millisecond} }).client(t, false)
	var status atomic.Int32
	status.Store(http.StatusTeapot)
	var made webhook
	c.do("POST", "/webhooks", `{"url":"`+receiver(t, &status)+`"}`).want(t, http.StatusCreated, &made)
	path := "/webhooks/" + made.ID
	deliveries := func(filter string) []webhookDelivery {
		var found listOf[webhookDelivery]
		c.do("GET", path+"/deliveries"+filter, nil).want(t, http.StatusOK, &found)
		return found.Data
	}

	c.do("POST", path+"/test", `{"event":"listing.sold"}`).want(t, http.StatusAccepted, nil)
	c.create(`{"identification":{"title":"Ember Fox"}}`)
	eventually(t, "all are dropped", func() bool { return len(deliveries("?state=dropped")) == 3 })
	sold := deliveries("?event=listing.sold")
	if len(sold) != 1 || len(sold[0].Attempts) != 2 || sold[0].AttemptCount != 2 {
		t.Fatalf("deliveries %+v, want one with two attempts", sold)
	}
	last := sold[0].Attempts[1]
	if last.Attempt != 2 || *last.Status != http.StatusTeapot || *last.Error != "status" ||
		*last.Response != "got\uFFFDit" {
		t.Errorf("attempt %+v", last)
	}

	status.Store(http.StatusNoContent)
	test := path + "/deliveries/" + sold[0].ID + "/resend"
	c.do("POST", test, nil).want(t, http.StatusAccepted, nil)
	eventually(t, "the test event arrives", func() bool { return len(deliveries("?state=delivered")) == 1 })
	c.do("POST", test, nil).refused(t, "event_not_found") // it was stored only in its delivery
	var resent struct {
		Resent  int
		HasMore bool `json:"has_more"`
	}
	dropped := path + "/resend-dropped"
	c.do("POST", dropped, `{"since":"2999-01-01T00:00:00Z"}`).want(t, http.StatusAccepted, &resent)
	if resent.Resent != 0 {
		t.Errorf("resent %d since a time in the future", resent.Resent)
	}
	c.do("POST", dropped, nil).want(t, http.StatusAccepted, &resent)
	if resent.Resent != 2 || resent.HasMore {
		t.Errorf("resent %+v, want the other 2", resent)
	}
	eventually(t, "all arrive", func() bool { return len(deliveries("?state=delivered")) == 3 })
	if identified := deliveries("?event=card.identified&state=delivered"); len(identified) != 1 {
		t.Errorf("deliveries of card.identified: %+v, want one", identified)
	}

	var page listOf[webhookDelivery]
	c.do("GET", path+"/deliveries?limit=2", nil).want(t, http.StatusOK, &page)
	c.do("GET", path+"/deliveries?limit=2&state=pending&cursor="+*page.NextCursor, nil).refused(t, "invalid_cursor")
	c.do("GET", "/webhooks?cursor=x", nil).refused(t, "invalid_cursor")
	c.do("GET", path+"/deliveries?limit=2&cursor="+*page.NextCursor, nil).want(t, http.StatusOK, &page)
	if len(page.Data) != 1 || page.HasMore {
		t.Errorf("second page %+v, want one delivery", page)
	}
	var other webhook
	c.do("POST", "/webhooks", `{"url":"http://127.0.0.1:9999/"}`).want(t, http.StatusCreated, &other)
	c.do("POST", "/webhooks/"+other.ID+"/deliveries/"+sold[0].ID+"/resend", nil).refused(t, "delivery_not_found")
}

// An address is taken as people have it: with an international host name, a scheme in upper case and spaces around it.
// One that cannot be used is refused with its remedy.
func TestWebhooks_AddressesAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	for written, want := range map[string]string{
		"https://shop.münchen.invalid/hook":      "https://shop.xn--mnchen-3ya.invalid/hook",
		"https://shop.m%C3%BCnchen.invalid/hook": "https://shop.xn--mnchen-3ya.invalid/hook",
		"HTTPS://shop.invalid/Hook":              "https://shop.invalid/Hook",
		" https://shop.invalid/hook\u00a0":       "https://shop.invalid/hook",
	} {
		var made struct{ URL, ID string }
		c.do("POST", "/webhooks", `{"url":"`+written+`"}`).want(t, http.StatusCreated, &made)
		if made.URL != want {
			t.Errorf("%q is stored as %q, want %q", written, made.URL, want)
		}
		c.do("PATCH", "/webhooks/"+made.ID, `{"url":"`+written+`"}`).want(t, http.StatusOK, &made)
		if made.URL != want {
			t.Errorf("%q is changed to %q, want %q", written, made.URL, want)
		}
	}
	for _, written := range []string{"https://shop.invalid/büro", "shop.invalid/hook", "https://shop.invalid/a b"} {
		c.do("POST", "/webhooks", `{"url":"`+written+`"}`).refused(t, "invalid_request").
			message(t, "url: must be a whole URL that begins with https://; percent-encode spaces and characters "+
				"beyond ASCII after its host name")
	}
}
