package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/ratelimit"
)

// Reads that a client has already are answered 304 without a body; what has changed since is sent.
func TestConditionalReadsOfEverything(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	mine := c.own()
	for path, takes := range addresses(t) {
		if takes[0] != "GET" {
			continue
		}
		address := mine.at(path, "")
		tag := c.do("GET", address, nil).want(t, http.StatusOK, nil).header.Get("ETag")
		weak := "W/" + strings.TrimPrefix(tag, "W/")
		for header, status := range map[string]int{
			"If-None-Match: " + tag: 304, "If-None-Match: " + weak: 304, "If-None-Match: *": 304, `If-None-Match: "x", ` + tag + `,"y"`: 304, `If-None-Match: "x",W/"y" , ` + weak: 304,
			`If-None-Match: "x"`: 200, "If-None-Match: " + strings.Trim(tag, `W/"`): 200, `If-None-Match: "` + strings.Trim(tag, `W/"`): 200, `If-None-Match: "*"`: 200, "If-None-Match: ": 400,
			"If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT": 200,
		} {
			for _, method := range []string{"GET", "HEAD"} {
				got := c.do(method, address, nil, header)
				if got.status != status || status == 304 && (len(got.body) > 0 || got.header.Get("ETag") != tag || got.header.Get("Content-Type") != "") {
					t.Errorf("%s %s with %s: %d %v, want %d", method, path, header, got.status, got.header, status)
				}
			}
		}
		two := c.do("GET", address, nil, `If-None-Match: "x"`, "If-None-Match: "+tag)
		if two.status != http.StatusNotModified {
			t.Errorf("GET %s with two headers: %d", path, two.status)
		}
	}
	cards := c.do("GET", "/cards", nil).header.Get("ETag")
	card := c.do("GET", "/cards/"+mine.card, nil).header.Get("ETag")
	c.do("PATCH", "/cards/"+mine.card, `{"notes":"changed"}`, "If-Match: "+card).want(t, http.StatusOK, nil)
	for path, tag := range map[string]string{"/cards": cards, "/cards/" + mine.card: card} {
		if got := c.do("GET", path, nil, "If-None-Match: "+tag).want(t, http.StatusOK, nil); got.header.Get("ETag") == tag {
			t.Errorf("%s has changed and not its ETag %s", path, tag)
		}
	}
	c.do("GET", "/cards?q=nothing+of+the+kind", nil, "If-None-Match: "+cards).want(t, http.StatusOK, nil)
}

// The addresses of photos expire within two days, whatever the card's version: who may hold such ones gets fresh ones.
func TestAConditionalReadKeepsNoPhotoThatHasExpired(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	made := c.create(`{"identify":false}`)
	tag := c.do("PUT", "/cards/"+made.ID+"/photos/front", blank(t), "Content-Type: image/jpeg").want(t, http.StatusOK, nil).header.Get("ETag")
	c.do("GET", "/cards/"+made.ID, nil, "If-None-Match: "+tag).want(t, http.StatusNotModified, nil)
	if _, err := s.DB.Exec(t.Context(), `UPDATE cards SET updated_at = updated_at - interval '1 day' WHERE id = $1`, made.ID); err != nil {
		t.Fatal(err)
	}
	got := c.do("GET", "/cards/"+made.ID, nil, "If-None-Match: "+tag).want(t, http.StatusOK, nil)
	if got.header.Get("ETag") != tag {
		t.Errorf("the version has changed: %v", got.header)
	}
}

// What If-Match takes; what it refuses is in TestHeadersThatAreRefused.
func TestConditionalWrites(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	made := c.create(`{"identify":false}`)
	for i, header := range []string{`If-Match: "1"`, "If-Match: *", `If-Match: "9", "3"`, `If-Match:  "x","4" `, `If-None-Match: "5"`} {
		notes := strings.Repeat("x", i+1)
		got := c.do("PATCH", "/cards/"+made.ID, `{"notes":"`+notes+`"}`, header).want(t, http.StatusOK, &made)
		if made.Version != int64(i+2) || got.header.Get("ETag") == "" {
			t.Errorf("%s: version %d", header, made.Version)
		}
	}
	c.do("PATCH", "/cards/"+made.ID, `{"notes":"xxxxx"}`, `If-Match: "1", "6"`).want(t, http.StatusOK, &made)
	c.do("PATCH", "/cards/"+made.ID, `{}`, `If-Match: "6"`).want(t, http.StatusOK, &made)
	if made.Version != 6 {
		t.Errorf("patches that change nothing made version %d", made.Version)
	}
	c.do("PATCH", "/cards/"+made.ID, `{"notes":"x"}`, `If-Match: "1"`, `If-Match: "6"`).want(t, http.StatusOK, &made)
}

// One key, one answer: however the key is spelt, for this token, and for this request only.
func TestRepeatedPosts(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	post := func(c *client, path, body, key string) response {
		return c.do("POST", path, body, "Idempotency-Key: "+key)
	}
	first := post(c, "/batches", `{"name":"Spring fair"}`, "spring").want(t, http.StatusCreated, nil)
	for _, key := range []string{"spring", `"spring"`} {
		again := post(c, "/batches", `{"name":"Spring fair"}`, key).want(t, http.StatusCreated, nil)
		if string(again.body) != string(first.body) || again.header.Get("Idempotent-Replayed") != "true" || first.header.Get("Idempotent-Replayed") != "" {
			t.Errorf("%s: %s, %v; first %s", key, again.body, again.header, first.body)
		}
		if again.header.Get("X-Request-Id") == first.header.Get("X-Request-Id") || again.header.Get("X-Ratelimit-Remaining") >= first.header.Get("X-Ratelimit-Remaining") {
			t.Errorf("a replay does not count as a request of its own: %v after %v", again.header, first.header)
		}
	}
	for path, body := range map[string]string{"/batches": `{"name":"Spring  fair"}`, "/cards": `{"cards":[{}]}`} {
		post(c, path, body, "spring").want(t, http.StatusUnprocessableEntity, nil).refused(t, "idempotency_key_reused")
	}
	for _, key := range []string{"Spring", " spring", "spring2", strings.Repeat("k", 255), `"` + strings.Repeat("k", 254) + `"`, `"a b"`, `"quoted \"key\""`, "!#$%&'()*+,-./:;<=>?@[]^_`{|}~", "a b"} {
		if got := post(c, "/batches", `{"name":"Spring fair"}`, key).want(t, http.StatusCreated, nil); strings.TrimSpace(key) != "spring" && string(got.body) == string(first.body) {
			t.Errorf("%s is taken for spring", key)
		}
	}
	if other := post(c.limited(ratelimit.Limits{}), "/batches", `{"name":"Spring fair"}`, "spring").want(t, http.StatusCreated, nil); string(other.body) == string(first.body) {
		t.Error("another token of the account gets the first one's answer")
	}
	for range 2 { // what is refused for good is repeated, what was no request at all is not
		post(c, "/listings/card_01k5w0q2m7t9c3r5v8x0z1b4d6/publish", `{}`, "none").refused(t, "card_not_found")
		post(c, "/batches", `{"name":1}`, "mended").refused(t, "invalid_request")
	}
	post(c, "/batches", `{"name":"Spring fair"}`, "mended").want(t, http.StatusCreated, nil)
	c.do("GET", "/batches", nil, "Idempotency-Key: spring").want(t, http.StatusOK, nil)
	var all listOf[struct{ ID string }]
	c.do("GET", "/batches", nil).want(t, http.StatusOK, &all)
	if len(all.Data) != 1+7+1+1 { // of the nine keys " spring" is spring and "a b" in quotation marks is a b
		t.Errorf("%d batches", len(all.Data))
	}
}
