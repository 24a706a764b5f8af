package demo

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/providers/fingerprint"
	"github.com/cardvault/cardvault/internal/page"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// setup is the service as `cardvault demo` wires it, with one provider, the quicker one.
func setup(t *testing.T) Services {
	t.Helper()
	db := pgtest.New(t)
	cursors, err := page.NewCursors(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	store, err := photos.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	recorder := events.NewRecorder(nil) // the demo account has no endpoint
	queues := cards.NewQueues()
	s := Services{DB: db, Clock: clock.System, Accounts: accounts.New(db, clock.System), Catalog: catalog.New(db)}
	s.Batches = batches.New(db, clock.System, cursors, recorder)
	s.Cards = cards.New(db, clock.System, cursors, recorder, s.Batches, queues)
	s.Photos = photos.NewService(s.Cards, store, nil, clock.System)
	chain := identify.Chain{
		Providers: []identify.Provider{fingerprint.New(s.Catalog, nil)},
		Threshold: identify.DefaultThreshold, Timeout: 2 * time.Minute,
	}
	s.Identify = identify.New(db, clock.System, chain, s.Cards, s.Photos, queues.Identifications)
	return s
}

func (s Services) all(t *testing.T, accountID string) []cards.Card {
	t.Helper()
	found, err := s.Cards.List(t.Context(), accountID, cards.Filter{}, page.Request{Limit: page.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	return found.Data
}

func TestLoad(t *testing.T) {
	t.Parallel()
	s := setup(t)
	var last [2]int
	first, err := Load(t.Context(), s, Options{Progress: func(done, total int) { last = [2]int{done, total} }})
	if err != nil {
		t.Fatal(err)
	}
	if !first.Made || !first.Sandbox || first.Cards != 24 || first.Batches != 2 || last != [2]int{24, 24} || !strings.HasPrefix(first.Token, "cv_test_") {
		t.Fatalf("got %+v, progress %v", first, last)
	}
	if got, err := s.Accounts.Authenticate(t.Context(), first.Token); err != nil || got.AccountID != first.AccountID {
		t.Errorf("the token is of %+v, %v", got, err)
	}
	statuses := map[cards.Status]int{}
	publishable := 0
	for _, c := range s.all(t, first.AccountID) {
		statuses[c.Status]++
		if c.Pricing.AskingPrice != nil && len(c.ReadyPhotos()) > 0 {
			publishable++
		}
		if c.Location == nil || c.BatchID == nil || c.SKU == nil {
			t.Errorf("%s lies nowhere: %+v", c.ID, c)
		}
	}
	want := map[cards.Status]int{cards.Priced: 10, cards.Photographed: 4, cards.Identified: 3, cards.Imported: 5, cards.NeedsReview: 2}
	if !maps.Equal(statuses, want) || publishable != 14 {
		t.Errorf("got %v with %d publishable, want %v", statuses, publishable, want)
	}
	waiting := 0
	if err := s.DB.Get(t.Context(), &waiting, `SELECT count(*) FROM identifications`); err != nil || waiting != 5 {
		t.Errorf("%d cards wait to be identified, %v", waiting, err)
	}
	list, err := s.Batches.List(t.Context(), first.AccountID, batches.Filter{}, page.Request{})
	if err != nil || len(list.Data) != 2 || list.Data[0].Status == list.Data[1].Status || list.Data[0].CardCount+list.Data[1].CardCount != 24 {
		t.Errorf("got %+v, %v", list.Data, err)
	}
	s.again(t, first)
	s.identifyOne(t, first.AccountID)
}

// again loads the demo a second time, into the catalogue as it is: drawing it takes most of the time.
func (s Services) again(t *testing.T, first Result) {
	t.Helper()
	account, err := s.account(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.load(t.Context(), account, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if second.AccountID != first.AccountID || second.Made || second.Token == first.Token || len(s.all(t, first.AccountID)) != 24 {
		t.Errorf("again: got %+v", second)
	}
	if list, err := s.Accounts.List(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("again: %d accounts, %v", len(list), err)
	}
}

// identifyOne does to a waiting card what the background will do, which must come out right.
func (s Services) identifyOne(t *testing.T, accountID string) {
	t.Helper()
	list := items()
	it := list[slices.IndexFunc(list, func(it boxed) bool { return it.stage == waiting })]
	found, err := s.Cards.List(t.Context(), accountID, cards.Filter{SKU: &it.sku}, page.Request{})
	if err != nil || len(found.Data) != 1 {
		t.Fatalf("%s: %d cards, %v", it.sku, len(found.Data), err)
	}
	_, card, err := s.Identify.Card(t.Context(), accountID, found.Data[0].ID, nil)
	if err != nil || card.Identification.CatalogID == nil || *card.Identification.CatalogID != Drawings()[it.drawing].ID {
		t.Errorf("%s: got %+v, %v", it.sku, card.Identification, err)
	}
}
