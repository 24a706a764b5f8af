package listings

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/worker"
)

// The kinds of deaths at a call of the marketplace's API.
const (
	killedBefore = "killed before the call"
	answerLost   = "answer lost"
	killedAfter  = "killed after the call"
)

// gate makes one call of the marketplace's API fail. It is in front of the marketplace.
type gate struct {
	mu    sync.Mutex
	at    int // the call that fails, from 1; 0 for none
	kind  string
	calls int
	hit   bool
	kill  func() // kills the worker
}

// set makes call number at fail.
func (g *gate) set(at int, kind string, kill func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.at, g.kind, g.kill, g.calls, g.hit = at, kind, kill, 0, false
}

// wasHit reports whether the call failed.
func (g *gate) wasHit() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.hit
}

// fails reports how the next call fails, "" if it does not, and the function that kills the worker.
func (g *gate) fails() (kind string, kill func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.calls++; g.at == 0 || g.calls != g.at {
		return "", nil
	}
	g.hit = true
	return g.kind, g.kill
}

// before returns next behind the gate. A killed worker gets no answer.
func (g *gate) before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind, kill := g.fails()
		switch kind {
		case "":
			next.ServeHTTP(w, r)
			return
		case killedBefore:
			kill()
		default:
			next.ServeHTTP(discard{http.Header{}}, r)
			if kind == killedAfter {
				kill()
			}
		}
		panic(http.ErrAbortHandler) // breaks the connection
	})
}

// discard is a response that is lost.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
func (d discard) WriteHeader(int)             {}

// runUntil processes the due work of one queue with a worker of its own of a new process, until
// the worker is killed.
func (s *shop) runUntil(ctx context.Context, loop func(*Worker) *worker.Periodic) {
	s.t.Helper()
	once := loop(NewWorker(New(s.db, s.clock, s.cursors, s.Service.cards, s.cfg))).Once
	for more := true; more && ctx.Err() == nil; {
		var err error
		if more, err = once(ctx); err != nil && ctx.Err() == nil {
			s.t.Fatal(err)
		}
	}
}

// lifeStep is a part of a listing's life: what starts it, and which loop does it.
type lifeStep struct {
	name  string
	start func(s *shop, l Listing)
	loop  func(*Worker) *worker.Periodic
	want  Status
}

func requests(w *Worker) *worker.Periodic { return w.requests }
func polls(w *Worker) *worker.Periodic    { return w.salesReports }

// lives are the lives of listings in which each step is killed, with the events that they fire.
var lives = map[string]struct {
	steps  []lifeStep
	events []string
}{
	"revised and ended": {[]lifeStep{
		{"publish", func(*shop, Listing) {}, requests, Live},
		{"revise", func(s *shop, l Listing) {
			title := "Ember Fox, foil"
			if _, err := s.Update(s.t.Context(), s.account, l.ID, UpdateInput{Title: &title}, nil); err != nil {
				s.t.Fatal(err)
			}
		}, requests, Live},
		{"end", func(s *shop, l Listing) {
			if _, err := s.End(s.t.Context(), s.account, l.ID, nil); err != nil {
				s.t.Fatal(err)
			}
		}, requests, Ended},
	}, []string{"listing.published", "priced→listed", "listing.ended", "listed→priced"}},
	"sold and refunded": {[]lifeStep{
		{"publish", func(*shop, Listing) {}, requests, Live},
		{"sale", func(s *shop, l Listing) { s.visit(l, "buy") }, polls, Sold},
		{"refund", func(s *shop, l Listing) { s.order(l, "refund", `{}`) }, polls, Sold},
	}, append(sold[:len(sold):len(sold)], "sold→priced")},
}

// At each call of each step, the worker is killed before or after the call, or the answer is lost. After a restart the
// marketplace has one listing, and each event was fired once.
func TestWorker_KilledAtEveryCall(t *testing.T) {
	t.Parallel()
	for kind, open := range map[string]func(*testing.T) *shop{
		"single calls": setup,
		"bulk calls and pictures": func(t *testing.T) *shop {
			t.Helper()
			s, _ := setupHosting(t)
			return s
		},
	} {
		for name, life := range lives {
			for i, killed := range life.steps {
				if killed.name == "publish" && life.steps[1].name != "revise" {
					continue // publishing is killed in one of the lives
				}
				t.Run(fmt.Sprintf("%s/%s/%s", kind, name, killed.name), func(t *testing.T) {
					t.Parallel()
					open(t).killedAt(life.steps, i, life.events)
				})
			}
		}
	}
}

// killedAt kills the worker at each call of step victim.
func (s *shop) killedAt(steps []lifeStep, victim int, events []string) {
	s.t.Helper()
	points, cards := 0, 0
	for _, kind := range []string{killedBefore, answerLost, killedAfter} {
		for at, hit := 1, true; hit; at++ {
			if hit = s.outlive(steps, victim, at, kind, events); hit {
				points++
			}
			cards++
		}
	}
	if steps[len(steps)-1].want == Sold {
		s.wantSaleEvents(cards, cards)
	}
	s.t.Logf("%d deaths", points)
	if points < 3 {
		s.t.Errorf("the step was killed at %d points, want 3 at least", points)
	}
}

// outlive runs a life of a new card, in which call number at of one step fails, and reports whether the step has so
// many calls.
func (s *shop) outlive(steps []lifeStep, victim, at int, kind string, events []string) (hit bool) {
	s.t.Helper()
	l := s.publish()
	for i, step := range steps {
		step.start(s, l)
		s.pass(3 * idlePollInterval)
		if i == victim {
			ctx, kill := context.WithCancel(s.t.Context())
			s.gate.set(at, kind, kill)
			s.runUntil(ctx, step.loop)
			kill()
			hit = s.gate.wasHit()
			s.gate.set(0, "", nil)
			s.pass(time.Hour)
		}
		s.runUntil(s.t.Context(), step.loop)
		if got, err := s.Get(s.t.Context(), s.account, l.ID); err != nil || got.Status != step.want {
			s.t.Fatalf("%s %d, %s: %+v, %v, want it %s", kind, at, step.name, got, err, step.want)
		}
	}
	s.wantEvents(l.CardID, events...)
	s.wantOneListing(l)
	return hit
}

// wantOneListing checks that the marketplace has one offer for the listing and one listing of it.
func (s *shop) wantOneListing(l Listing) {
	s.t.Helper()
	var got struct{ Offers, Listings int }
	err := s.db.Get(s.t.Context(), &got, `
		SELECT count(*) AS offers, count(listing_id) AS listings FROM market.offers
		WHERE sku = replace($1, '_', '')`, l.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	if diff := cmp.Diff(struct{ Offers, Listings int }{1, 1}, got); diff != "" {
		s.t.Errorf("at the marketplace (-want +got):\n%s", diff)
	}
}
