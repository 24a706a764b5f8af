package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/ratelimit"
)

// TestConditionalReads checks that a read with the current ETag returns 304 without a body, and that one with another
// ETag returns the resource.
func TestConditionalReads(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	_, err := s.DB.Exec(t.Context(), `
		INSERT INTO catalog_cards (id, game, name, set, set_code, number, printed_total, year, illustrator, hp,
			language, rarity, variant, text, name_key, set_key, set_code_key, number_key, words)
		VALUES ('ember-54', 'other', 'Ember Fox', '', '', '54', 0, 0, '', 0, '', '', '', '', 'ember fox', '', '', '54',
			'{ember,fox}')`)
	if err != nil {
		t.Fatal(err)
	}
	for path, takes := range methodsByPath(t) {
		if takes[0] == "GET" {
			t.Run(path, func(t *testing.T) { c.in(t).checkConditionalReads(mine.at(path, "") + requiredQuery[path]) })
		}
	}
	cards := c.do("GET", "/cards", nil).header.Get("ETag")
	card := c.do("GET", "/cards/"+mine.card, nil).header.Get("ETag")
	c.do("PATCH", "/cards/"+mine.card, `{"notes":"changed"}`, "If-Match: "+card).want(t, http.StatusOK, nil)
	for path, tag := range map[string]string{"/cards": cards, "/cards/" + mine.card: card} {
		got := c.do("GET", path, nil, "If-None-Match: "+tag).want(t, http.StatusOK, nil)
		if got.header.Get("ETag") == tag {
			t.Errorf("%s has changed and still has the ETag %s", path, tag)
		}
	}
	c.do("GET", "/cards?q=nothing+of+the+kind", nil, "If-None-Match: "+cards).want(t, http.StatusOK, nil)
}

func (c *client) checkConditionalReads(path string) {
	c.t.Helper()
	tag := c.do("GET", path, nil).want(c.t, http.StatusOK, nil).header.Get("ETag")
	weak := "W/" + strings.TrimPrefix(tag, "W/")
	for header, status := range map[string]int{
		"If-None-Match: " + tag:                            304,
		"If-None-Match: " + weak:                           304,
		"If-None-Match: *":                                 304,
		`If-None-Match: "x", ` + tag + `,"y"`:              304,
		`If-None-Match: "x",W/"y" , ` + weak:               304,
		`If-None-Match: "x"`:                               200,
		"If-None-Match: " + strings.Trim(tag, `W/"`):       200,
		`If-None-Match: "` + strings.Trim(tag, `W/"`):      200,
		`If-None-Match: "*"`:                               200,
		"If-None-Match: ":                                  400,
		"If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT": 200,
	} {
		for _, method := range []string{"GET", "HEAD"} {
			got := c.do(method, path, nil, header)
			if got.status != status {
				c.t.Errorf("%s with %s: %d %v, want %d", method, header, got.status, got.header, status)
			}
			complete := len(got.body) > 0 || got.header.Get("Content-Type") != ""
			if status == 304 && (complete || got.header.Get("ETag") != tag) {
				c.t.Errorf("%s with %s: %v %s, want the ETag %s and no body", method, header, got.header, got.body, tag)
			}
		}
	}
	two := c.do("GET", path, nil, `If-None-Match: "x"`, "If-None-Match: "+tag)
	if two.status != http.StatusNotModified {
		c.t.Errorf("GET with two headers If-None-Match: %d, want 304", two.status)
	}
}

// TestConditionalReads_RefreshPhotoURLs checks that a client that may hold expired URLs of photos gets new ones, even
// if the version of the card has not changed. The URLs expire within two days.
func TestConditionalReads_RefreshPhotoURLs(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	made := c.create(`{"identify":false}`)
	put := c.do("PUT", "/cards/"+made.ID+"/photos/front", blank(t), "Content-Type: image/jpeg")
	tag := put.want(t, http.StatusOK, nil).header.Get("ETag")
	c.do("GET", "/cards/"+made.ID, nil, "If-None-Match: "+tag).want(t, http.StatusNotModified, nil)
	_, err := s.DB.Exec(t.Context(),
		`UPDATE cards SET updated_at = updated_at - interval '1 day' WHERE id = $1`, made.ID)
	if err != nil {
		t.Fatal(err)
	}
	got := c.do("GET", "/cards/"+made.ID, nil, "If-None-Match: "+tag).want(t, http.StatusOK, nil)
	if got.header.Get("ETag") != tag {
		t.Errorf("ETag %s, want %s, because the version is the same", got.header.Get("ETag"), tag)
	}
}

// TestConditionalWrites sends values of If-Match that the service accepts. TestHeaders_Refused sends others.
func TestConditionalWrites(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	made := c.create(`{"identify":false}`)
	for i, header := range []string{
		`If-Match: "1"`, "If-Match: *", `If-Match: "9", "3"`, `If-Match:  "x","4" `, `If-None-Match: "5"`,
	} {
		notes := strings.Repeat("x", i+1)
		got := c.do("PATCH", "/cards/"+made.ID, `{"notes":"`+notes+`"}`, header).want(t, http.StatusOK, &made)
		if made.Version != int64(i+2) || got.header.Get("ETag") == "" {
			t.Errorf("%s: version %d, want %d and an ETag", header, made.Version, i+2)
		}
	}
	c.do("PATCH", "/cards/"+made.ID, `{"notes":"xxxxx"}`, `If-Match: "1", "6"`).want(t, http.StatusOK, &made)
	c.do("PATCH", "/cards/"+made.ID, `{}`, `If-Match: "6"`).want(t, http.StatusOK, &made)
	if made.Version != 6 {
		t.Errorf("version %d after patches that change nothing, want 6", made.Version)
	}
	c.do("PATCH", "/cards/"+made.ID, `{"notes":"x"}`, `If-Match: "1"`, `If-Match: "6"`).want(t, http.StatusOK, &made)
}

// post sends a POST request with an Idempotency-Key.
func (c *client) post(path, body, key string) response {
	c.t.Helper()
	return c.do("POST", path, body, "Idempotency-Key: "+key)
}

// TestIdempotencyKey_Replays repeats a request with the same key in both spellings, and with other keys, tokens and
// bodies.
func TestIdempotencyKey_Replays(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	const fair = `{"name":"Spring fair"}`
	first := c.post("/batches", fair, "spring").want(t, http.StatusCreated, nil)
	if first.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("the first response is marked as replayed: %v", first.header)
	}
	for _, key := range []string{"spring", `"spring"`} {
		again := c.post("/batches", fair, key).want(t, http.StatusCreated, nil)
		if string(again.body) != string(first.body) || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("key %s: %s, %v, want a replay of %s", key, again.body, again.header, first.body)
		}
		if again.header.Get("X-Request-Id") == first.header.Get("X-Request-Id") ||
			again.header.Get("X-Ratelimit-Remaining") >= first.header.Get("X-Ratelimit-Remaining") {
			t.Errorf("key %s: a replay does not count as another request: %v after %v", key, again.header, first.header)
		}
	}
	for path, body := range map[string]string{"/batches": `{"name":"Spring  fair"}`, "/cards": `{"cards":[{}]}`} {
		c.post(path, body, "spring").want(t, http.StatusUnprocessableEntity, nil).refused(t, "idempotency_key_reused")
	}
	for _, key := range []string{
		"Spring", " spring", "spring2", strings.Repeat("k", 255), `"` + strings.Repeat("k", 254) + `"`, `"a b"`,
		`"quoted \"key\""`, "!#$%&'()*+,-./:;<=>?@[]^_`{|}~", "a b",
	} {
		got := c.post("/batches", fair, key).want(t, http.StatusCreated, nil)
		if strings.TrimSpace(key) != "spring" && string(got.body) == string(first.body) {
			t.Errorf("key %s replays the response for the key spring", key)
		}
	}
	other := c.limited(ratelimit.Limits{}).post("/batches", fair, "spring").want(t, http.StatusCreated, nil)
	if string(other.body) == string(first.body) {
		t.Error("another token of the account gets the response for the first one's key")
	}
	for range 2 { // the response to an unknown card is stored, that to an invalid request is not
		c.post("/listings/card_01k5w0q2m7t9c3r5v8x0z1b4d6/publish", `{}`, "none").refused(t, "card_not_found")
		c.post("/batches", `{"name":1}`, "mended").refused(t, "invalid_request")
	}
	c.post("/batches", fair, "mended").want(t, http.StatusCreated, nil)
	c.do("GET", "/batches", nil, "Idempotency-Key: spring").want(t, http.StatusOK, nil)
	var all listOf[struct{ ID string }]
	c.do("GET", "/batches", nil).want(t, http.StatusOK, &all)
	// Nine keys name seven other requests: " spring" equals spring, and the quoted "a b" equals a b.
	if want := 1 + 7 + 1 + 1; len(all.Data) != want {
		t.Errorf("%d batches, want %d", len(all.Data), want)
	}
}
