package e2e

import (
	"flag"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/queue/queuetest"
	"github.com/cardvault/cardvault/internal/users"
)

var runCards = flag.Int("market-cards", 40, "the number of cards that TestEbay_Run publishes")

const (
	// runLimit limits a run, on two cores.
	runLimit = 5 * time.Minute
	// extraCalls is how many calls of the marketplace a card may cost beyond those of publishing and ending without
	// faults: polls, status checks and retries.
	extraCalls = 1.2
	// fewCards is the size of a run from which extraCalls holds. In a smaller one, the polls weigh more:
	// smallExtraCalls.
	fewCards, smallExtraCalls = 200, 2.5
	// buyerName is what no log, table or response of the service may contain.
	buyerName = "buyer-bea-4711"
)

// marketRun publishes many cards at the sandbox marketplace as eBay, with faults, and sells and ends some.
type marketRun struct {
	*service
	t     *testing.T
	c     *client
	b     *browser     // of the account's owner
	calls atomic.Int64 // of the marketplace's APIs
	mu    sync.Mutex
	// secrets are the access tokens that the marketplace received.
	secrets map[string]bool
}

func startRun(t *testing.T) *marketRun {
	t.Helper()
	r := &marketRun{t: t, secrets: map[string]bool{}}
	r.service = start(t, onMarket, func(c *config.Config) { c.MarketPoll = 30 * time.Second })
	next := r.market.Config.Handler
	r.market.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !strings.HasPrefix(req.URL.Path, "/sandbox/") {
			r.calls.Add(1)
		}
		if token, ok := strings.CutPrefix(req.Header.Get("Authorization"), "Bearer "); ok {
			r.mu.Lock()
			r.secrets[token] = true
			r.mu.Unlock()
		}
		next.ServeHTTP(w, req)
	})
	r.c = r.client(t, false)
	r.b = r.browser(t, r.c.account, users.Owner)
	r.b.connectMarket(t, "ada")
	return r
}

// create creates cards that can be published and returns their identifiers.
func (r *marketRun) create(n int) (ids []string) {
	r.t.Helper()
	for first := 0; first < n; first += 200 {
		var drafts []cards.Draft
		for i := first; i < min(n, first+200); i++ {
			drafts = append(drafts, cards.Draft{Patch: cards.Patch{
				Title:     cards.Set(fmt.Sprintf("Ember Fox %d", i)),
				Condition: cards.Set("NM"), Game: cards.Set("pokemon"),
				AskingPrice: cards.Set(money.Money{Amount: 1250, Currency: "USD"}),
			}, Stored: []cards.Photo{{
				ID: id.New(id.Photo, time.Now()), Role: cards.RoleFront, Status: cards.PhotoReady,
				ContentType: "image/jpeg", Width: 600, Height: 800,
			}}})
		}
		made, err := r.Cards.Create(r.t.Context(), r.c.account, drafts, nil)
		if err != nil {
			r.t.Fatal(err)
		}
		r.storePhotos(made)
		for _, card := range made {
			ids = append(ids, card.ID)
		}
	}
	return ids
}

// storePhotos stores the images of the cards' photos.
func (r *marketRun) storePhotos(made []cards.Card) {
	r.t.Helper()
	store, err := photos.Open(r.t.Context(), r.Config.PhotoStore)
	if err != nil {
		r.t.Fatal(err)
	}
	defer store.Close()
	for _, card := range made {
		key := photos.Key(card.AccountID, card.Photos[0].ID, "image/jpeg")
		if err := store.Put(r.t.Context(), key, "image/jpeg", blank(r.t)); err != nil {
			r.t.Fatal(err)
		}
	}
}

// publish requests to publish cards and returns their listings.
func (r *marketRun) publish(cardIDs []string) (listings []string) {
	r.t.Helper()
	for len(cardIDs) > 0 {
		n := min(len(cardIDs), 100)
		made, err := r.parts.Listings.PublishMany(r.t.Context(), r.c.account, cardIDs[:n], nil, false, true, nil)
		if err != nil {
			r.t.Fatal(err)
		}
		for _, item := range made {
			listings = append(listings, item.Listing.ID)
		}
		cardIDs = cardIDs[n:]
	}
	return listings
}

// each calls do for every listing, eight at a time.
func (r *marketRun) each(listings []string, do func(id string) error) {
	r.t.Helper()
	var group errgroup.Group
	group.SetLimit(8)
	for _, id := range listings {
		group.Go(func() error { return do(id) })
	}
	if err := group.Wait(); err != nil {
		r.t.Fatal(err)
	}
}

// act does what a visitor of the marketplace's site does.
func (r *marketRun) act(path, body string) error {
	resp, err := http.Post(r.market.URL+"/sandbox"+path, "application/json", strings.NewReader(body))
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, resp.Status)
	}
	return nil
}

// fault makes calls fail from now on.
func (r *marketRun) fault(kind, call string, count int) {
	r.visit(r.t, "/faults", map[string]any{"kind": kind, "call": call, "count": count, "seconds": 0.5}, nil)
}

// noFaults switches all faults off.
func (r *marketRun) noFaults() {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodDelete, r.market.URL+"/sandbox/faults", nil)
	if err != nil {
		r.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	resp.Body.Close()
}

// count returns the result of a query for the account.
func (r *marketRun) count(query string) (n int) {
	r.t.Helper()
	if err := r.DB.Get(r.t.Context(), &n, query, r.c.account); err != nil {
		r.t.Fatal(err)
	}
	return n
}

// await waits until the account has a number of listings with a status. One listing may meet many of the faults, so
// work that failed three times is retried at once: the test would end before its delays do.
func (r *marketRun) await(status string, want int) {
	r.t.Helper()
	query := `SELECT count(*) FROM listings WHERE account_id = $1 AND status = '` + status + `'`
	eventually(r.t, fmt.Sprintf("%d listings are %s", want, status), func() bool {
		queuetest.Retry(r.t, r.DB, "listing_work", 3)
		return r.count(query) == want
	})
}

// minimum returns the calls that publishing n cards in full bulk calls and ending as many of their listings as end take
// without faults. An upload of each photo is part of them. It measures them with wire.MaxBulk cards, whose
// listings it ends.
func (r *marketRun) minimum(n, end int) int64 {
	r.t.Helper()
	before := r.calls.Load()
	listings := r.publish(r.create(wire.MaxBulk))
	r.await("live", wire.MaxBulk)
	publish := r.calls.Load() - before
	before = r.calls.Load()
	r.end(listings)
	r.await("ended", wire.MaxBulk)
	ending := r.calls.Load() - before
	batches := (n + wire.MaxBulk - 1) / wire.MaxBulk
	r.t.Logf("%d calls publish and %d end %d cards", publish, ending, wire.MaxBulk)
	return int64(batches)*publish + int64(end)*ending/wire.MaxBulk
}

// end requests to end listings.
func (r *marketRun) end(listings []string) {
	r.t.Helper()
	r.each(listings, func(id string) error {
		_, err := r.parts.Listings.End(r.t.Context(), r.c.account, id, nil)
		return err
	})
}

// faults switches on faults of about a tenth of n calls.
func (r *marketRun) faults(n int) {
	few := max(1, n/40)
	for _, call := range []string{
		"createImageFromFile", "createOrReplaceInventoryItem", "createOffer", "publishOffer", "withdrawOffer",
	} {
		r.fault("error", call, few)
		r.fault("lost", call, few)
	}
	// Each batch takes four bulk calls, and there are six faults of them. After a call that may have had an effect, the
	// offer of each card is read.
	fewBulk := max(1, n/wire.MaxBulk*4/10/6)
	r.fault("error", "bulkCreateOrReplaceInventoryItem", fewBulk)
	r.fault("lost", "bulkPublishOffer", fewBulk)
	if n >= fewCards {
		r.fault("error", "bulkPublishOffer", fewBulk)
		r.fault("lost", "bulkCreateOrReplaceInventoryItem", fewBulk)
		r.fault("error", "bulkCreateOffer", fewBulk)
		r.fault("lost", "bulkCreateOffer", fewBulk)
	}
	r.fault("lost", "getOrders", 2)
	r.fault("lost", "getPublicKey", 1)
	r.fault("slow", "getOffers", few)
	r.fault("duplicate", "", few)
	r.fault("out_of_order", "", few)
}

// A buyer script sells, ends and refunds cards while calls fail. In the end both sides agree, each event was fired
// once, and the calls are within bounds. No buyer's name and no token is stored.
func TestEbay_Run(t *testing.T) {
	t.Parallel()
	r, n := startRun(t), *runCards
	sold, ended, refunded := n*3/10, n*3/10, max(1, n/50)
	least := r.minimum(n, ended/2)
	began, before := time.Now(), r.calls.Load()
	r.faults(n)
	listings := r.publish(r.create(n))
	r.await("live", n)
	r.each(listings[:sold], func(id string) error {
		return r.act("/listings/"+id+"/buy", `{"buyer":"`+buyerName+`","delivery":400}`)
	})
	endHere, endThere := listings[sold:sold+ended/2], listings[sold+ended/2:sold+ended]
	r.end(endHere)
	r.each(endThere, func(id string) error { return r.act("/listings/"+id+"/end", "") })
	r.await("sold", sold)
	r.await("ended", wire.MaxBulk+ended/2)
	queuetest.Pass(t, r.DB, 20*time.Minute) // makes the status checks due
	r.await("ended", wire.MaxBulk+ended)
	r.refund(refunded)
	queuetest.Pass(t, r.DB, time.Minute)
	eventually(t, "the cards of the refunds are back", func() bool {
		return r.count(`SELECT count(*) FROM sales WHERE account_id = $1 AND restocked_at IS NOT NULL`) == refunded
	})
	calls := r.calls.Load() - before
	extra := float64(calls-least) / float64(n)
	t.Logf("%d cards in %v with %d calls: %.2f a card beyond the minimum of %d", n,
		time.Since(began).Round(time.Second), calls, extra, least)
	allowed := extraCalls
	if n < fewCards {
		allowed = smallExtraCalls
	}
	if took := time.Since(began); took > runLimit || extra > allowed {
		t.Errorf("%v and %.2f calls a card, want at most %v and %.2f", took, extra, runLimit, allowed)
	}
	r.wantAgreement(n, sold, ended, refunded)
	r.wantNoSecrets()
}

// refund refunds half of the orders and cancels the others.
func (r *marketRun) refund(n int) {
	r.t.Helper()
	var orders []string
	if err := r.DB.Select(r.t.Context(), &orders, `SELECT order_id FROM market.orders LIMIT $1`, n); err != nil {
		r.t.Fatal(err)
	}
	r.each(orders[:n/2], func(id string) error { return r.act("/orders/"+id+"/refund", "") })
	r.each(orders[n/2:], func(id string) error { return r.act("/orders/"+id+"/cancel", "") })
}

// wantAgreement checks that the account and the marketplace agree, and that each event was fired once.
func (r *marketRun) wantAgreement(n, sold, ended, refunded int) {
	r.t.Helper()
	var differ []struct{ ID, Status, State string }
	err := r.DB.Select(r.t.Context(), &differ, `
		SELECT l.id, l.status, coalesce(o.state, '') AS state
		FROM listings l LEFT JOIN market.offers o ON o.sku = replace(l.id, '_', '')
		WHERE l.account_id = $1 AND (l.status, coalesce(o.state, '')) NOT IN
			(('live', 'live'), ('sold', 'sold'), ('ended', 'withdrawn'), ('ended', 'ended'))`, r.c.account)
	if err != nil || len(differ) > 0 {
		r.t.Errorf("listings that differ from the marketplace's: %+v, %v", differ, err)
	}
	got := map[string]int{
		"offers":          r.count(`SELECT count(*) FROM market.offers WHERE $1 <> ''`),
		"orders":          r.count(`SELECT count(*) FROM market.orders WHERE $1 <> ''`),
		"pictures in use": r.count(`SELECT count(*) FROM market.images WHERE $1 <> '' AND used`),
		"live there":      r.count(`SELECT count(*) FROM market.offers WHERE $1 <> '' AND state = 'live'`),
		"sales":           r.count(`SELECT count(*) FROM sales WHERE account_id = $1`),
		"deliveries":      r.count(`SELECT count(*) FROM sales WHERE account_id = $1 AND shipping_charged = 400`),
		"deliveries back": r.count(`SELECT count(*) FROM sales WHERE account_id = $1 AND refunded = gross + 400`),
		"sales with fees": r.count(`SELECT count(*) FROM sales WHERE account_id = $1 AND fee_total = 218`),
		"cards sold":      r.count(`SELECT count(*) FROM cards WHERE account_id = $1 AND workflow_status = 'sold'`),
		"cards listed":    r.count(`SELECT count(*) FROM cards WHERE account_id = $1 AND workflow_status = 'listed'`),
	}
	for _, kind := range []string{
		"listing.published", "listing.sold", "listing.ended", "sale.created", "sale.refunded",
	} {
		got[kind] = r.count(`
			SELECT count(*) FROM events WHERE account_id = $1 AND body LIKE '%"event":"` + kind + `"%'`)
	}
	cancelled := refunded - refunded/2
	want := map[string]int{
		"offers": n + wire.MaxBulk, "orders": sold, "live there": n - sold - ended, "sales": sold,
		"deliveries": sold, "deliveries back": refunded,
		"sales with fees": sold - cancelled, "cards sold": sold - refunded, "cards listed": n - sold - ended,
		"listing.published": n + wire.MaxBulk, "listing.sold": sold,
		"listing.ended":   ended + wire.MaxBulk,
		"pictures in use": n + wire.MaxBulk,
		"sale.created":    sold, "sale.refunded": refunded,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.t.Errorf("both sides (-want +got):\n%s", diff)
	}
}

// wantNoSecrets checks that no table of the service has a token in clear or the name of a buyer.
func (r *marketRun) wantNoSecrets() {
	r.t.Helper()
	var tables []string
	err := r.DB.Select(r.t.Context(), &tables, `
		SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`)
	if err != nil || len(tables) == 0 {
		r.t.Fatal(tables, err)
	}
	needles := []string{buyerName, r.Config.EbayClientSecret, r.Config.EbayVerificationToken}
	r.mu.Lock()
	defer r.mu.Unlock()
	for token := range r.secrets {
		needles = append(needles, token)
	}
	for _, table := range tables {
		for _, needle := range needles {
			var found int
			err := r.DB.Unprepared().Get(r.t.Context(), &found,
				`SELECT count(*) FROM `+table+` AS r WHERE position($1 in r::text) > 0`, needle)
			if err != nil || found > 0 {
				r.t.Errorf("%s has %d rows with %.8s…, %v", table, found, needle, err)
			}
		}
	}
	if len(needles) < 4 {
		r.t.Errorf("only %d secrets were seen", len(needles))
	}
}
