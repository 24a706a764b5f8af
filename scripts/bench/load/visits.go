package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
)

// sessionCookie is the name of the dashboard's cookie.
const sessionCookie = "cardvault_session"

// logIn creates an owner of the measured account and returns the cookie of a session.
func logIn(ctx context.Context, s settings, p *process) (cookie string, err error) {
	password := rand.Text()
	email := "bench-" + strings.ToLower(rand.Text()) + "@example.com"
	command := s.command(ctx, s, "user", "create", "--account", s.account, "--email", email, "--role", "owner",
		"--password-stdin")
	command.Stdin = strings.NewReader(password + "\n")
	if said, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cardvault user create: %w: %s", err, said)
	}
	form := url.Values{"email": {email}, "password": {password}}
	body := strings.NewReader(form.Encode())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+p.addr+"/login", body)
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := http.DefaultTransport.RoundTrip(r) // follows no redirect
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	for _, set := range answer.Cookies() {
		if set.Name == sessionCookie && answer.StatusCode == http.StatusSeeOther {
			return sessionCookie + "=" + set.Value, nil
		}
	}
	return "", fmt.Errorf("the log-in was answered with %s", answer.Status)
}

// visit renders the request of a page as a browser sends it.
func visit(path, cookie string) []byte {
	return []byte("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nCookie: " + cookie +
		"\r\nAccept: text/html\r\nAccept-Encoding: gzip, deflate\r\n\r\n")
}

// measureVisits adds the downloads of a browser, headers included: for its first page with all files that the page
// names, and for a page after that.
func measureVisits(ctx context.Context, p *process, pages []shownPage, cookie string, t *table) error {
	type visited struct {
		name        string
		bytes, with int64 // of the page, and with its files
	}
	var all []visited
	random := mathrand.New(mathrand.NewPCG(9, 10))
	for _, page := range pages {
		path, _ := page.draw(random)
		one := visited{name: page.name}
		body, size, err := transferred(ctx, p, path, cookie)
		if err != nil {
			return err
		}
		one.bytes, one.with = size, size
		for _, file := range filesOf(body) {
			_, size, err := transferred(ctx, p, file, cookie)
			if err != nil {
				return err
			}
			one.with += size
		}
		all = append(all, one)
	}
	first := slices.MaxFunc(all, func(a, b visited) int { return cmp.Compare(a.with, b.with) })
	next := slices.MaxFunc(all, func(a, b visited) int { return cmp.Compare(a.bytes, b.bytes) })
	t.add("First visit, page and files, the most transferred: "+first.name, kilobytes(first.with), "", "",
		"≤ "+kilobytes(maxFirstVisit), first.with <= maxFirstVisit)
	t.add("Next page, the most transferred: "+next.name, kilobytes(next.bytes), "", "",
		"≤ "+kilobytes(maxNextVisit), next.bytes <= maxNextVisit)
	return nil
}

func kilobytes(bytes int64) string { return fmt.Sprintf("%.1f kB", float64(bytes)/1000) }

var loaded = regexp.MustCompile(`(?:href|src)="(/assets/[^"]+)"`)

// filesOf returns the paths of the files that a page loads, each once.
func filesOf(body []byte) []string {
	var paths []string
	for _, match := range loaded.FindAllSubmatch(body, -1) {
		paths = append(paths, string(match[1]))
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// countingConn counts the bytes that arrive.
type countingConn struct {
	net.Conn
	arrived *atomic.Int64
}

// Read implements net.Conn.
func (c countingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.arrived.Add(int64(n))
	return n, err
}

// transferred gets a path as a browser does. It returns the body and how many bytes arrived for it.
func transferred(ctx context.Context, p *process, path, cookie string) (body []byte, size int64, err error) {
	c, err := dial(ctx, p.addr)
	if err != nil {
		return nil, 0, err
	}
	defer c.Close()
	var total atomic.Int64
	c.in.Reset(countingConn{c.Conn, &total})
	if _, err := c.Write(visit(path, cookie)); err != nil {
		return nil, 0, err
	}
	answer, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return nil, 0, err
	}
	body, err = io.ReadAll(answer.Body)
	if err != nil {
		return nil, 0, fmt.Errorf("GET %s: %w", path, err)
	}
	if answer.StatusCode != http.StatusOK {
		return nil, 0, fmt.Errorf("GET %s: %s", path, answer.Status)
	}
	if answer.Header.Get("Content-Encoding") == "gzip" {
		unzip, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil, 0, err
		}
		body, err = io.ReadAll(unzip)
		return body, total.Load(), err
	}
	return body, total.Load(), nil
}

// send sends a request of the API with a body and decodes the response.
func send(ctx context.Context, p *process, method, target, token string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+p.addr+"/api"+target, bytes.NewReader(text))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= http.StatusMultipleChoices {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 300))
		return fmt.Errorf("%s %s: %s: %s", method, target, answer.Status, text)
	}
	return json.NewDecoder(answer.Body).Decode(into)
}
