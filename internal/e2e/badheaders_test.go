package e2e

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestHeaders_Refused sends invalid media types, encodings, Accept, Idempotency-Key and If-Match.
func TestHeaders_Refused(t *testing.T) {
	refusals(t, func(c *client, p possessions) (table []bad) {
		refuse := func(method, path string, body any, code string, headers ...string) {
			table = append(table, bad{method, path, body, code, "", headers})
		}
		for _, media := range []string{
			"text/plain", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
			"application/jsonx", "*/*", "application/json; charset=latin1", "application/json; charset=utf-16",
			"application/json/x", "json", "application/", ";", "application/json, text/plain", "text/json",
		} {
			refuse("PATCH", "/cards/{card}", `{"notes":"x"}`, "unsupported_media_type", "Content-Type: "+media)
			refuse("POST", "/batches", `{"name":"x"}`, "unsupported_media_type", "Content-Type: "+media)
		}
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		io.WriteString(w, `{"name":"x"}`)
		w.Close()
		for _, encoding := range []string{"gzip", "GZIP", "br", "deflate", "identity, gzip", "x"} {
			refuse("POST", "/batches", zipped.String(), "unsupported_media_type",
				"Content-Type: application/json", "Content-Encoding: "+encoding)
		}
		for _, accept := range []string{
			"text/html", "application/xml", "text/*", "application/json;q=0", "*/*;q=0", "image/*, text/html;q=0.9",
			"application/jsonx", "json", "application/json;q=0, */*",
		} {
			refuse("GET", "/cards/{card}", nil, "not_acceptable", "Accept: "+accept)
			refuse("POST", "/batches", `{"name":"x"}`, "not_acceptable", "Accept: "+accept)
		}
		version := strings.Trim(c.do("GET", "/cards/"+p.card, nil).header.Get("ETag"), `"`)
		for _, tag := range []string{
			`"99"`, `"0"`, `"99", "100"`, `"-1"`, `"9223372036854775808"`, `""`, `"x"`, `"0VERSION"`,
		} {
			tag = strings.ReplaceAll(tag, "VERSION", version)
			refuse("PATCH", "/cards/{card}", `{"notes":"x"}`, "version_mismatch", "If-Match: "+tag)
		}
		refuse("PATCH", "/cards/card_01k5w0q2m7t9c3r5v8x0z1b4d6", `{"notes":"x"}`, "card_not_found", "If-Match: *")
		refuse("POST", "/batches", []byte(`{"name":"x"}`), "unsupported_media_type")
		refuse("POST", "/batches", `{"name":"x"}`, "unsupported_media_type",
			"Content-Type: application/merge-patch+json")
		const photo = "/cards/{card}/photos/back"
		refuse("PUT", photo, `{}`, "unsupported_media_type")
		refuse("PUT", photo, []byte("GIF89a"), "unsupported_media_type", "Content-Type: image/gif")
		refuse("PUT", photo, []byte("<svg/>"), "unsupported_media_type", "Content-Type: image/svg+xml")
		refuse("PUT", photo, blank(t)[:2000], "photo_invalid", "Content-Type: image/jpeg")
		refuse("PUT", photo, []byte("not a picture"), "photo_invalid", "Content-Type: image/png")
		return table
	})
}

// TestHeaders_InvalidValues sends headers whose name the error repeats as the field.
func TestHeaders_InvalidValues(t *testing.T) {
	refusals(t, func(c *client, p possessions) (table []bad) {
		refuse := func(method, path string, body any, field string, headers ...string) {
			table = append(table, bad{method, path, body, "invalid_request", field, headers})
		}
		version := strings.Trim(c.do("GET", "/cards/"+p.card, nil).header.Get("ETag"), `"`)
		for _, tag := range []string{`W/"VERSION"`, `VERSION`, `"VERSION`, `*x`, `VERSION, W/"VERSION"`} {
			tag = strings.ReplaceAll(tag, "VERSION", version)
			refuse("PATCH", "/cards/{card}", `{"notes":"x"}`, "If-Match", "If-Match: "+tag)
			refuse("DELETE", "/cards/{card}", nil, "If-Match", "If-Match: "+tag)
		}
		for _, key := range []string{
			strings.Repeat("k", 256), "schlüssel", "\xff", "a\tb", `"open`, `""`, `"a"b"`, `"a\b"`, "\u200b",
			strings.Repeat("k", 10_000),
		} {
			refuse("POST", "/batches", `{"name":"x"}`, "Idempotency-Key", "Idempotency-Key: "+key)
		}
		refuse("POST", "/batches", `{"name":"x"}`, "Idempotency-Key", "Idempotency-Key: a", "Idempotency-Key: a")
		refuse("PATCH", "/cards/{card}", `{"notes":"x"}`, "If-Match", "If-Match: "+strings.Repeat("x", 1025))
		refuse("GET", "/cards/{card}", nil, "If-None-Match", "If-None-Match: é")
		refuse("PUT", "/cards/{card}/photos/back", []byte{}, "body", "Content-Type: image/png")
		return table
	})
}

// TestBodies_TooLarge sends bodies of each kind that are too large, with and without a Content-Length.
func TestBodies_TooLarge(t *testing.T) {
	refusals(t, func(*client, possessions) (table []bad) {
		const size = 20 << 20
		chunked := func(start string) io.Reader { // net/http does not know its length
			return io.MultiReader(strings.NewReader(start), io.LimitReader(endless('x'), size))
		}
		refuse := func(method, path string, body any, headers ...string) {
			table = append(table, bad{method, path, body, "payload_too_large", "", headers})
		}
		for _, to := range []struct{ method, path string }{
			{"POST", "/cards"},
			{"PATCH", "/cards/{card}"},
			{"POST", "/identify"},
			{"POST", "/listings/{card}/publish"},
		} {
			refuse(to.method, to.path, `{"notes":"`+strings.Repeat("x", size)+`"}`)
			refuse(to.method, to.path, chunked(`{"notes":"`), "Content-Type: application/json")
		}
		const photo = "/cards/{card}/photos/back"
		refuse("PUT", photo, append(blank(t), make([]byte, size)...), "Content-Type: image/jpeg")
		refuse("PUT", photo, chunked(string(blank(t))), "Content-Type: image/jpeg")
		return append(table,
			bad{"POST", "/batches/{batch}/complete", chunked(""), "invalid_request", "body",
				[]string{"Content-Type: text/plain"}},
			invalid("GET", "/cards", chunked(""), "body"))
	})
}

// endless is a reader that repeats one byte without end.
type endless byte

func (e endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(e)
	}
	return len(b), nil
}

// TestTokens_Refused checks the code of each way in which a request can fail to authenticate.
func TestTokens_Refused(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	mine := c.own()
	revoked := c.revoked()
	last := "x"
	if strings.HasSuffix(c.token, last) {
		last = "y"
	}
	const bearer = "Authorization: Bearer "
	good := bearer + c.token
	before := s.snapshot(t)
	for _, test := range []struct {
		name, code string
		headers    []string
	}{
		{"no header", "missing_token", []string{"Authorization:"}},
		{"scheme only", "missing_token", []string{"Authorization: Bearer"}},
		{"revoked", "revoked_token", []string{bearer + revoked}},
		{"basic scheme", "invalid_token", []string{"Authorization: Basic " + c.token}},
		{"no scheme", "invalid_token", []string{"Authorization: " + c.token}},
		{"unknown scheme", "invalid_token", []string{"Authorization: Token " + c.token}},
		{"no space", "invalid_token", []string{"Authorization: Bearer" + c.token}},
		{"two equal headers", "invalid_token", []string{good, good}},
		{"two schemes", "invalid_token", []string{good, "Authorization: Basic eDp5"}},
		{"word after the token", "invalid_token", []string{good + " x"}},
		{"space in the token", "invalid_token", []string{bearer + c.token[:20] + " " + c.token[20:]}},
		{"comma after the token", "invalid_token", []string{good + ","}},
		{"empty header", "invalid_token", []string{"Authorization: "}},
		{"last character changed", "invalid_token", []string{bearer + c.token[:43] + last}},
		{"last character missing", "invalid_token", []string{bearer + c.token[:43]}},
		{"one character more", "invalid_token", []string{good + "0"}},
		{"upper case", "invalid_token", []string{bearer + strings.ToUpper(c.token)}},
		{"other prefix", "invalid_token", []string{bearer + strings.Replace(c.token, "cv_live_", "cv_test_", 1)}},
		{"one character", "invalid_token", []string{bearer + "x"}},
		{"20 kB", "invalid_token", []string{bearer + strings.Repeat("x", 20_000)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c.in(t).refuse(mine, bad{"GET", "/cards/{card}", nil, test.code, "", test.headers})
		})
	}
	s.unchanged(t, before)
}

// TestTokens_CheckedFirst checks that a request without a valid token learns of no other error, except that its path is
// unknown.
func TestTokens_CheckedFirst(t *testing.T) {
	refusals(t, func(c *client, _ possessions) []bad {
		return []bad{
			{"PATCH", "/cards/{card}", `{"notes":"x"}`, "missing_token", "", []string{"Authorization:"}},
			{"POST", "/batches", `not even JSON`, "missing_token", "",
				[]string{"Authorization:", "Content-Type: text/plain", "Accept: text/html"}},
			{"GET", "/cards?limit=nothing", nil, "invalid_token", "", []string{"Authorization: Bearer x"}},
			{"GET", "/cards?access_token=" + c.token, nil, "missing_token", "", []string{"Authorization:"}},
			{"GET", "/nothing", nil, "route_not_found", "", []string{"Authorization:"}},
		}
	})
}

func TestHeaders_Accepted(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	for _, scheme := range []string{"Bearer ", "bearer ", "BEARER ", "Bearer  "} {
		t.Run(scheme, func(t *testing.T) {
			c.in(t).do("GET", "/cards", nil, "Authorization: "+scheme+c.token).want(t, http.StatusOK, nil)
		})
	}
	for _, accept := range []string{
		"*/*", "application/*", "application/json; charset=utf-8", "text/html, application/json;q=0.1",
		"text/html,*/*;q=0.1", "APPLICATION/JSON",
	} {
		t.Run("Accept "+accept, func(t *testing.T) {
			c.in(t).do("GET", "/cards", nil, "Accept: "+accept).want(t, http.StatusOK, nil)
		})
	}
}
