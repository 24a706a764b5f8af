package e2e

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/ratelimit"
)

// TestHeadersThatAreRefused: media types, encodings, Accept, Idempotency-Key and If-Match.
func TestHeadersThatAreRefused(t *testing.T) {
	refusals(t, func(c *client, p possessions) (table []bad) {
		for _, media := range []string{"text/plain", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonx", "*/*",
			"application/json; charset=latin1", "application/json; charset=utf-16", "application/json/x", "json", "application/", ";", "application/json, text/plain", "text/json"} {
			table = append(table,
				bad{"PATCH", "/cards/{card}", `{"notes":"x"}`, "unsupported_media_type", "", []string{"Content-Type: " + media}},
				bad{"POST", "/batches", `{"name":"x"}`, "unsupported_media_type", "", []string{"Content-Type: " + media}})
		}
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		io.WriteString(w, `{"name":"x"}`)
		w.Close()
		for _, encoding := range []string{"gzip", "GZIP", "br", "deflate", "identity, gzip", "x"} {
			table = append(table, bad{"POST", "/batches", zipped.String(), "unsupported_media_type", "", []string{"Content-Type: application/json", "Content-Encoding: " + encoding}})
		}
		for _, accept := range []string{"text/html", "application/xml", "text/*", "application/json;q=0", "*/*;q=0", "image/*, text/html;q=0.9", "application/jsonx", "json", "application/json;q=0, */*"} {
			table = append(table, bad{"GET", "/cards/{card}", nil, "not_acceptable", "", []string{"Accept: " + accept}},
				bad{"POST", "/batches", `{"name":"x"}`, "not_acceptable", "", []string{"Accept: " + accept}})
		}
		for _, key := range []string{strings.Repeat("k", 256), "schlüssel", "\xff", "a\tb", `"open`, `""`, `"a"b"`, `"a\b"`, "\u200b", strings.Repeat("k", 10_000)} {
			table = append(table, bad{"POST", "/batches", `{"name":"x"}`, "invalid_request", "Idempotency-Key", []string{"Idempotency-Key: " + key}})
		}
		for _, tag := range []string{`"99"`, `"0"`, `W/"VERSION"`, `VERSION`, `"VERSION`, `"99", "100"`, `"-1"`, `"9223372036854775808"`, `""`, `"x"`, `*x`, `"0VERSION"`} {
			tag = strings.ReplaceAll(tag, "VERSION", strings.Trim(c.do("GET", "/cards/"+p.card, nil).header.Get("ETag"), `"`))
			table = append(table, bad{"PATCH", "/cards/{card}", `{"notes":"x"}`, "version_mismatch", "", []string{"If-Match: " + tag}})
		}
		return append(table,
			bad{"PATCH", "/cards/card_01k5w0q2m7t9c3r5v8x0z1b4d6", `{"notes":"x"}`, "card_not_found", "", []string{"If-Match: *"}},
			bad{"PATCH", "/cards/{card}", `{"notes":"x"}`, "invalid_request", "If-Match", []string{"If-Match: " + strings.Repeat("x", 1025)}},
			bad{"GET", "/cards/{card}", nil, "invalid_request", "If-None-Match", []string{"If-None-Match: é"}},
			bad{"POST", "/batches", []byte(`{"name":"x"}`), "unsupported_media_type", "", nil},
			bad{"POST", "/batches", `{"name":"x"}`, "unsupported_media_type", "", []string{"Content-Type: application/merge-patch+json"}},
			bad{"POST", "/batches", `{"name":"x"}`, "invalid_request", "Idempotency-Key", []string{"Idempotency-Key: a", "Idempotency-Key: a"}},
			bad{"PUT", "/cards/{card}/photos/back", `{}`, "unsupported_media_type", "", nil},
			bad{"PUT", "/cards/{card}/photos/back", []byte("GIF89a"), "unsupported_media_type", "", []string{"Content-Type: image/gif"}},
			bad{"PUT", "/cards/{card}/photos/back", []byte("<svg/>"), "unsupported_media_type", "", []string{"Content-Type: image/svg+xml"}},
			bad{"PUT", "/cards/{card}/photos/back", blank(t)[:2000], "photo_invalid", "", []string{"Content-Type: image/jpeg"}},
			bad{"PUT", "/cards/{card}/photos/back", []byte("not a picture"), "photo_invalid", "", []string{"Content-Type: image/png"}},
			bad{"PUT", "/cards/{card}/photos/back", []byte{}, "invalid_request", "body", []string{"Content-Type: image/png"}})
	})
}

// TestTooLargeBodies: with a length announced and without one, and of each kind.
func TestTooLargeBodies(t *testing.T) {
	refusals(t, func(*client, possessions) (table []bad) {
		const size = 20 << 20
		chunked := func(start string) io.Reader { // of no length that net/http could announce
			return io.MultiReader(strings.NewReader(start), io.LimitReader(endless('x'), size))
		}
		for _, to := range []bad{{method: "POST", path: "/cards"}, {method: "PATCH", path: "/cards/{card}"}, {method: "POST", path: "/identify"}, {method: "POST", path: "/listings/{card}/publish"}} {
			whole, unannounced := to, to
			whole.code, whole.body = "payload_too_large", `{"notes":"`+strings.Repeat("x", size)+`"}`
			unannounced.code, unannounced.body, unannounced.headers = "payload_too_large", chunked(`{"notes":"`), []string{"Content-Type: application/json"}
			table = append(table, whole, unannounced)
		}
		jpeg := []string{"Content-Type: image/jpeg"}
		return append(table,
			bad{"PUT", "/cards/{card}/photos/back", append(blank(t), make([]byte, size)...), "payload_too_large", "", jpeg},
			bad{"PUT", "/cards/{card}/photos/back", chunked(string(blank(t))), "payload_too_large", "", jpeg},
			bad{"POST", "/batches/{batch}/complete", chunked(""), "invalid_request", "body", []string{"Content-Type: text/plain"}},
			bad{"GET", "/cards", chunked(""), "invalid_request", "body", nil})
	})
}

// endless is a reader of one byte for ever.
type endless byte

func (e endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(e)
	}
	return len(b), nil
}

// TestTokensThatAreRefused: each way of not being authenticated has its code, wherever it is tried.
func TestTokensThatAreRefused(t *testing.T) {
	refusals(t, func(c *client, _ possessions) (table []bad) {
		revoked := c.limited(ratelimit.Limits{})
		tokens, err := c.service.Accounts.Tokens(t.Context(), c.account)
		if err != nil {
			t.Fatal(err)
		}
		for _, token := range tokens {
			if strings.HasSuffix(revoked.token, token.LastFour) {
				if _, err := c.service.Accounts.RevokeToken(t.Context(), token.ID); err != nil {
					t.Fatal(err)
				}
			}
		}
		last := "x"
		if strings.HasSuffix(c.token, last) {
			last = "y"
		}
		good := "Authorization: Bearer " + c.token
		for code, headers := range map[string][][]string{
			"missing_token": {{"Authorization:"}, {"Authorization: Bearer"}},
			"revoked_token": {{"Authorization: Bearer " + revoked.token}},
			"invalid_token": {
				{"Authorization: Basic " + c.token}, {"Authorization: " + c.token}, {"Authorization: Token " + c.token}, {"Authorization: Bearer" + c.token},
				{good, good}, {good, "Authorization: Basic eDp5"}, {good + " x"}, {"Authorization: Bearer " + c.token[:20] + " " + c.token[20:]}, {good + ","}, {"Authorization: "},
				{"Authorization: Bearer " + c.token[:43] + last}, {"Authorization: Bearer " + c.token[:43]}, {good + "0"}, {"Authorization: Bearer " + strings.ToUpper(c.token)},
				{"Authorization: Bearer " + strings.Replace(c.token, "cv_live_", "cv_test_", 1)}, {"Authorization: Bearer x"}, {"Authorization: Bearer " + strings.Repeat("x", 20_000)},
			},
		} {
			for _, h := range headers {
				table = append(table, bad{"GET", "/cards/{card}", nil, code, "", h})
			}
		}
		return append(table,
			bad{"PATCH", "/cards/{card}", `{"notes":"x"}`, "missing_token", "", []string{"Authorization:"}},
			bad{"POST", "/batches", `not even JSON`, "missing_token", "", []string{"Authorization:", "Content-Type: text/plain", "Accept: text/html"}},
			bad{"GET", "/cards?limit=nothing", nil, "invalid_token", "", []string{"Authorization: Bearer x"}},
			bad{"GET", "/cards?access_token=" + c.token, nil, "missing_token", "", []string{"Authorization:"}},
			bad{"GET", "/nothing", nil, "route_not_found", "", []string{"Authorization:"}})
	})
}

func TestTokensThatAreTaken(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	for _, header := range []string{"Bearer ", "bearer ", "BEARER ", "Bearer  "} {
		c.do("GET", "/cards", nil, "Authorization: "+header+c.token).want(t, http.StatusOK, nil)
	}
	for _, accept := range []string{"*/*", "application/*", "application/json; charset=utf-8", "text/html, application/json;q=0.1", "text/html,*/*;q=0.1", "APPLICATION/JSON"} {
		c.do("GET", "/cards", nil, "Accept: "+accept).want(t, http.StatusOK, nil)
	}
}
