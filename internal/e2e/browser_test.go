package e2e

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/users"
)

const browserPassword = "correct horse battery"

// browser is the session of a user of the dashboard. It keeps cookies and follows no redirects.
type browser struct {
	t    testing.TB
	base string // the URL of the service
	http *http.Client
}

// page is a response to a browser, whose body was read.
type page struct {
	*http.Response
	body string
}

// transport is not http.DefaultTransport, whose connections other tests break when they close an httptest.Server.
var transport = http.DefaultTransport.(*http.Transport).Clone()

// visitor returns a client that follows no redirects. The jar may be nil.
func visitor(jar http.CookieJar) *http.Client {
	return &http.Client{
		Transport: transport, Jar: jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// browser creates a user of the account with the role and logs in.
func (s *service) browser(t testing.TB, accountID string, role users.Role) *browser {
	t.Helper()
	email := string(role) + "-" + accountID + "@example.com"
	if _, err := s.Users.Create(t.Context(), accountID, email, role, browserPassword); err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, base: strings.TrimSuffix(s.url, "/api"), http: visitor(jar)}
	b.wantRedirect(b.post("/login", "email", email, "password", browserPassword), "/")
	return b
}

func (b *browser) get(path string) page { return b.send(http.MethodGet, path, "", nil) }

// post sends a form with these names and values.
func (b *browser) post(path string, pairs ...string) page {
	b.t.Helper()
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	return b.send(http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
}

// sendFile sends a form with these names and values, and with a file after them.
func (b *browser) sendFile(path, field, name string, content []byte, fields ...string) page {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i < len(fields); i += 2 {
		if err := form.WriteField(fields[i], fields[i+1]); err != nil {
			b.t.Fatal(err)
		}
	}
	file, err := form.CreateFormFile(field, name)
	if err == nil {
		_, err = file.Write(content)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return b.send(http.MethodPost, path, form.FormDataContentType(), &body)
}

// send sends a request with a body of the type, or without one if the type is "".
func (b *browser) send(method, path, contentType string, body io.Reader) page {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.base+path, body)
	if err != nil {
		b.t.Fatal(err)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	response, err := b.http.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return page{response, string(text)}
}

// want checks the status, and that the page contains each text.
func (b *browser) want(p page, status int, texts ...string) {
	b.t.Helper()
	for _, text := range append(texts, "") {
		if p.StatusCode != status || !strings.Contains(p.body, text) {
			b.t.Fatalf("%s %s: got %d, want %d with %q:\n%s",
				p.Request.Method, p.Request.URL.Path, p.StatusCode, status, text, p.body)
		}
	}
}

// wantRedirect checks that the response leads to the path.
func (b *browser) wantRedirect(p page, path string) {
	b.t.Helper()
	if got := p.Header.Get("Location"); p.StatusCode != http.StatusSeeOther || got != path {
		b.t.Fatalf("%s %s: got %d to %q, want 303 to %q:\n%s",
			p.Request.Method, p.Request.URL.Path, p.StatusCode, got, path, p.body)
	}
}
