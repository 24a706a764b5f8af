package processtest

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// act is something that a tenant does at a pace: a request, in its harmless form and in one that could hurt others.
type act struct {
	name            string // for the reader
	clients         int
	every           time.Duration
	decent, hostile func(*tenant, context.Context)
}

// acts are what a tenant does. The requests of a minute stay below the limits of an account.
func acts() []act {
	return []act{
		{"photo", 2, 4 * time.Second, (*tenant).putPhoto, (*tenant).putBomb},
		{"photo by URL", 1, 5 * time.Second, (*tenant).fetchPhoto, (*tenant).fetchBomb},
		{"identify", 2, 10 * time.Second, (*tenant).identifyPhoto, (*tenant).identifyBomb},
		{"download", 6, 5 * time.Second, (*tenant).download, (*tenant).downloadSlowly},
		{"upload", 5, 5 * time.Second, (*tenant).putPhoto, (*tenant).announcePhoto},
		{"export", 1, 5 * time.Second, (*tenant).headPage, (*tenant).headExport},
		{"search", 4, time.Second, (*tenant).list, (*tenant).searchWidely},
		{"job", 1, 5 * time.Second, (*tenant).updateJob, (*tenant).blankJob},
		{"bulk", 1, 5 * time.Second, (*tenant).patchFew, (*tenant).patchMany},
		{"body", 1, 5 * time.Second, (*tenant).createOne, (*tenant).sendWorstBody},
		{"events", 1, time.Second, (*tenant).patchOne, (*tenant).patchOne}, // to endpoints that respond, or hang
		{"log-in", 1, 2 * time.Second, (*tenant).logIn, (*tenant).guessPassword},
	}
}

// tenant is the account beside the one that is measured. It has several tokens, six users and fifty endpoints.
type tenant struct {
	t       *testing.T
	account *account
	server  *server
	cards   []card
	photos  *httptest.Server // serves photos by URL
	bombs   []hostileBody    // photos whose decoding takes the most time and memory
	hanging atomic.Bool      // its endpoints do not respond

	mu      sync.Mutex
	clients []*client // one for each token
	users   []*http.Client
	turn    int
}

const (
	tenantTokens    = 10 // as many as reach the limit of an account, see the guide to rate limits
	tenantUsers     = 6
	tenantEndpoints = 50
	tenantCards     = 2_000
)

// newTenant creates an account with the default limits.
func newTenant(t *testing.T, s settings, server *server) *tenant {
	t.Helper()
	a := &tenant{t: t, account: s.account(t), server: server}
	a.bombs = append(hiddenFrames(t), hostilePhotos(t)...)
	a.cards = a.account.at(server).create(500)
	if err := a.account.importCards(t, tenantCards-500); err != nil {
		t.Fatal(err)
	}
	for range tenantTokens {
		_, token := a.account.newToken("read=60,write=20,ai=5")
		a.clients = append(a.clients, server.client(token))
	}
	for n := range tenantUsers {
		a.users = append(a.users, a.user(n))
	}
	a.photos = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		served := map[string]string{"/photo": megapixels(12), "/card": picture(), "/bomb": a.bombs[0].body}
		fmt.Fprint(w, served[r.URL.Path])
	}))
	t.Cleanup(a.photos.Close)
	endpoint := httptest.NewServer(http.HandlerFunc(a.receive))
	t.Cleanup(func() { a.hanging.Store(false); endpoint.CloseClientConnections(); endpoint.Close() })
	for n := range tenantEndpoints {
		address := fmt.Sprintf("%s/%d", endpoint.URL, n)
		got := s.run(t, "webhook", "register", "--account", a.account.id, "--url", address)
		if err := got.failure(); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// hiddenFrames is a photo of few bytes with many frames.
func hiddenFrames(t *testing.T) []hostileBody {
	t.Helper()
	data, err := os.ReadFile("../../photos/heif/testdata/hidden.avif")
	if err != nil {
		t.Fatal(err)
	}
	return []hostileBody{{"hidden frames", string(data), http.StatusUnprocessableEntity, "image/avif"}}
}

// receive is an endpoint. While the tenant is hostile, it does not respond.
func (a *tenant) receive(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // so that r.Context is done when the sender closes the connection
	if a.hanging.Load() {
		<-r.Context().Done()
	}
}

const tenantPassword = "correct horse battery staple"

// user creates a member and returns a browser in which the member is logged in.
func (a *tenant) user(n int) *http.Client {
	a.t.Helper()
	email := fmt.Sprintf("member%d-%s@example.com", n, strings.ToLower(a.account.id))
	command := a.account.settings.command("user", "create", "--account", a.account.id, "--email", email,
		"--role", "member", "--password-stdin")
	command.Stdin = strings.NewReader(tenantPassword)
	if output, err := command.CombinedOutput(); err != nil {
		a.t.Fatalf("create a user: %v: %s", err, output)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		a.t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, Timeout: requestTimeout}
	form := url.Values{"email": {email}, "password": {tenantPassword}}
	if err := discard(browser.PostForm("http://"+a.server.host+"/login", form)); err != nil {
		a.t.Fatal(err)
	}
	return browser
}

// discard reads a response to its end.
func discard(response *http.Response, err error) error {
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

// repeat acts at the pace of the act until ctx is done. The tenant ignores errors: some of its requests are refused.
func (a *tenant) repeat(ctx context.Context, one act, hostile bool) {
	do := one.decent
	if hostile {
		do = one.hostile
	}
	pace := time.NewTicker(one.every)
	defer pace.Stop()
	for {
		do(a, ctx)
		select {
		case <-ctx.Done():
			return
		case <-pace.C:
		}
	}
}

// next returns the client of the next token, a browser, and a card.
func (a *tenant) next() (c *client, browser *http.Client, id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.turn++
	return a.clients[a.turn%len(a.clients)], a.users[a.turn%len(a.users)], a.cards[a.turn%len(a.cards)].ID
}

// send sends a request of the API with the next token.
func (a *tenant) send(method, path, body string, headers ...string) {
	c, _, _ := a.next()
	_, _ = c.try(method, path, body, headers...)
}

// page requests a page as the next user.
func (a *tenant) page(ctx context.Context, method, path string) (*http.Response, error) {
	_, browser, _ := a.next()
	r, err := http.NewRequestWithContext(ctx, method, "http://"+a.server.host+path, nil)
	if err != nil {
		return nil, err
	}
	return browser.Do(r)
}

func (a *tenant) put(photo, mediaType string) {
	_, _, id := a.next()
	a.send("PUT", "/cards/"+id+"/photos/front", photo, "Content-Type", mediaType)
}

func (a *tenant) putPhoto(context.Context) { a.put(megapixels(12), "image/jpeg") }

func (a *tenant) putBomb(context.Context) {
	bomb := anyOf(a.bombs)
	a.put(bomb.body, bomb.code)
}

// announcePhoto announces the largest photo and sends some of its bytes.
func (a *tenant) announcePhoto(ctx context.Context) {
	c, _, id := a.next()
	conn, err := net.Dial("tcp", a.server.host)
	if err != nil {
		return
	}
	defer conn.Close()
	fmt.Fprintf(conn, "PUT /api/cards/%s/photos/front HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n", id, a.server.host, c.token, 15<<20)
	trickle(ctx, func() error { _, err := io.WriteString(conn, megapixels(12)[:10]); return err })
}

// trickle calls step five times a second until it fails, ctx is done, or half a minute has passed.
func trickle(ctx context.Context, step func() error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	pace := time.NewTicker(200 * time.Millisecond)
	defer pace.Stop()
	for step() == nil {
		select {
		case <-ctx.Done():
			return
		case <-pace.C:
		}
	}
}

func (a *tenant) byURL(path string) {
	a.send("POST", "/cards", `{"cards":[{"photos":[{"url":"`+a.photos.URL+path+`","role":"front"}]}]}`)
}

func (a *tenant) fetchPhoto(context.Context) { a.byURL("/photo") }
func (a *tenant) fetchBomb(context.Context)  { a.byURL("/bomb") }

func (a *tenant) identify(path string) {
	a.send("POST", "/identify", `{"photo_url":"`+a.photos.URL+path+`"}`)
}

func (a *tenant) identifyPhoto(context.Context) { a.identify("/card") }
func (a *tenant) identifyBomb(context.Context)  { a.identify("/bomb") }

const exportPath = "/cards/export?status=identified"

func (a *tenant) download(ctx context.Context) { _ = discard(a.page(ctx, "GET", exportPath)) }

// downloadSlowly reads a few bytes of a file at a time.
func (a *tenant) downloadSlowly(ctx context.Context) {
	response, err := a.page(ctx, "GET", exportPath)
	if err != nil {
		return
	}
	defer response.Body.Close()
	trickle(ctx, func() error { _, err := response.Body.Read(make([]byte, 100)); return err })
}

func (a *tenant) headPage(ctx context.Context)   { _ = discard(a.page(ctx, "HEAD", "/cards")) }
func (a *tenant) headExport(ctx context.Context) { _ = discard(a.page(ctx, "HEAD", exportPath)) }

func (a *tenant) list(context.Context) { a.send("GET", "/cards?limit=200&status=identified", "") }
func (a *tenant) searchWidely(context.Context) {
	a.send("GET", "/cards?limit=200&q="+anyOf([]string{"ar", "em"}), "")
}

func (a *tenant) updateJob(context.Context) {
	_, _, id := a.next()
	a.send("POST", "/jobs", `{"kind":"update","card_ids":["`+id+`"],"patch":{"notes":"checked"}}`)
}

// blankJob is refused. It would otherwise change every card of the account.
func (a *tenant) blankJob(context.Context) {
	a.send("POST", "/jobs", `{"kind":"update","filter":{"q":"\u3000"},"patch":{"notes":"blank"}}`)
}

// patch changes the first n cards in one request.
func (a *tenant) patch(n int) {
	var updates []string
	for _, one := range a.cards[:n] {
		updates = append(updates, `{"id":"`+one.ID+`",`+price(rand.Int64N(100_000))[1:])
	}
	a.send("PATCH", "/cards", `{"updates":[`+strings.Join(updates, ",")+`]}`)
}

func (a *tenant) patchFew(context.Context)  { a.patch(50) }
func (a *tenant) patchMany(context.Context) { a.patch(500) }

func (a *tenant) patchOne(context.Context) {
	_, _, id := a.next()
	a.send("PATCH", "/cards/"+id, price(rand.Int64N(100_000)))
}

func (a *tenant) createOne(context.Context)     { a.send("POST", "/cards", `{"cards":[{"notes":"new"}]}`) }
func (a *tenant) sendWorstBody(context.Context) { a.send("POST", "/cards", anyOf(worstBodies)) }

func (a *tenant) enter(email, password string) {
	form := url.Values{"email": {email}, "password": {password}}
	_ = discard(http.PostForm("http://"+a.server.host+"/login", form))
}

func (a *tenant) logIn(context.Context) {
	a.enter("member0-"+strings.ToLower(a.account.id)+"@example.com", tenantPassword)
}

// guessPassword tries passwords of a user who may exist.
func (a *tenant) guessPassword(context.Context) { a.enter("somebody@example.com", unknownToken()) }
