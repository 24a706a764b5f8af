package processtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/e2e/processtest/history"
)

// poller is a client that mirrors the inventory. In each round it reads all pages of what changed since the last
// updated_at.
type poller struct {
	trial  *trial
	number int
	since  time.Time
	seen   map[string]card
}

func newPoller(r *trial, number int) *poller {
	return &poller{trial: r, number: number, since: time.Unix(0, 0).UTC(), seen: map[string]card{}}
}

// round polls and records the state of the copies. A round that fails records nothing, but keeps the pages it read.
func (p *poller) round() {
	call := p.trial.recorder.Now()
	query := url.Values{"updated_since": {p.since.Format(time.RFC3339Nano)}, "limit": {"20"}}
	for more := true; more; {
		got, ok := p.trial.ask(p.trial.client(), "GET", "/cards?"+query.Encode(), "", []int{http.StatusOK})
		if !ok {
			return
		}
		var page struct {
			Data       []card
			HasMore    bool   `json:"has_more"`
			NextCursor string `json:"next_cursor"`
		}
		got.decode(p.trial.t, &page)
		for _, one := range page.Data {
			p.seen[one.ID], p.since = one, one.UpdatedAt
		}
		more = page.HasMore
		query.Set("cursor", page.NextCursor)
	}
	for _, id := range p.trial.cards {
		p.trial.recorder.Add(history.Operation{
			Client: p.number, Card: id, Kind: history.Poll, Outcome: history.Done,
			State: stateOf(p.seen[id]), Call: call,
		})
	}
}

// importer is a client that imports cards and repeats each request with its Idempotency-Key until there is a response.
// The response is 409 while the service does not know whether a server died with the request. The importer then leaves
// the import unconfirmed and goes on.
type importer struct {
	trial *trial
	name  string
	posts []bool // whether each import was confirmed
	again bool   // whether to repeat the last import
}

// importedAtOnce is the number of cards of an import.
const importedAtOnce = 3

func (i *importer) round() {
	if !i.again {
		i.posts = append(i.posts, false)
	}
	post := len(i.posts) - 1
	var drafts []string
	for n := range importedAtOnce {
		drafts = append(drafts, fmt.Sprintf(`{"identification":{"title":"Ember Fox"},"sku":%q}`, i.sku(post, n)))
	}
	got, ok := i.trial.ask(i.trial.client(), "POST", "/cards", `{"cards":[`+strings.Join(drafts, ",")+`]}`,
		[]int{http.StatusCreated, http.StatusConflict}, "Idempotency-Key", i.sku(post, 0))
	i.again = !ok
	if ok {
		i.posts[post] = got.status == http.StatusCreated
	}
	if code, _ := got.problem(); ok && !i.posts[post] && code != "idempotency_conflict" {
		i.trial.t.Errorf("an import was refused: %s", got.body)
	}
}

func (i *importer) sku(post, n int) string { return fmt.Sprintf("%s-%d-%d", i.name, post, n) }

// complete checks that the account has the cards of each confirmed import once, and of each other import either all
// cards once or none. times is the number of cards by SKU.
func (i *importer) complete(times map[string]int) {
	i.trial.t.Helper()
	for post, confirmed := range i.posts {
		first := times[i.sku(post, 0)]
		if first > 1 || confirmed && first != 1 {
			i.trial.t.Errorf("the account has the cards of import %s %d times (confirmed: %t)",
				i.sku(post, 0), first, confirmed)
		}
		for n := range importedAtOnce {
			if sku := i.sku(post, n); times[sku] != first {
				i.trial.t.Errorf("the account has card %s %d times and the first of its import %d times",
					sku, times[sku], first)
			}
		}
	}
}

// bystander is a client of another account, which the fault should not affect. It sends one request at a time and
// measures the slowest one.
type bystander struct {
	trial  *trial
	client func() *client
	card   card
	rounds int

	mu      sync.Mutex
	longest time.Duration
	slowest string
}

func newBystander(r *trial) *bystander {
	b := &bystander{trial: r}
	b.client = func() *client {
		c := r.fleet.client(r.fleet.bystander.token)
		c.t = r.t
		return c
	}
	b.card = b.client().create(1)[0]
	return b
}

func (b *bystander) round() {
	b.rounds++
	b.timed("GET", "")
	b.timed("PATCH", price(int64(b.rounds)))
}

func (b *bystander) timed(method, body string) {
	began := time.Now()
	_, ok := b.trial.ask(b.client(), method, "/cards/"+b.card.ID, body, []int{http.StatusOK})
	took := time.Since(began)
	b.mu.Lock()
	defer b.mu.Unlock()
	if took > b.longest {
		b.longest, b.slowest = took, fmt.Sprintf("%s, success: %t", method, ok)
	}
}
