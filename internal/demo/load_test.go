package demo

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/providers/fingerprint"
	"github.com/cardvault/cardvault/internal/identify/providers/ocr"
	"github.com/cardvault/cardvault/internal/identify/tesseract"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/users"
)

// setup returns the services of `cardvault demo`, with only the faster identification provider.
func setup(t *testing.T) Services {
	t.Helper()
	db := pgtest.New(t)
	cursors, err := paging.NewCursors(make([]byte, 32))
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
	s.Users = users.New(db, clock.System, s.Accounts, ratelimit.NewMemory())
	s.Batches = batches.New(db, clock.System, cursors, recorder)
	s.Cards = cards.New(db, clock.System, cursors, recorder, s.Batches, queues)
	s.Photos = photos.NewService(s.Cards, store, nil, clock.System)
	read := ocr.New(s.Catalog, tesseract.New(tesseract.Config{Timeout: 2 * time.Minute}))
	chain := identify.Chain{
		Providers: []identify.Provider{fingerprint.New(s.Catalog, read), read},
		Threshold: identify.DefaultThreshold, Timeout: 2 * time.Minute,
	}
	s.Identify = identify.New(db, clock.System, chain, chain, s.Accounts, s.Cards, s.Photos, queues.Identifications)
	return s
}

func (s Services) all(t *testing.T, accountID string) []cards.Card {
	t.Helper()
	found, err := s.Cards.List(t.Context(), accountID, cards.Filter{}, paging.Request{Limit: paging.MaxLimit})
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
	wantResult := Result{
		AccountID: first.AccountID, Name: AccountName, Sandbox: true, Token: first.Token, TokenID: first.TokenID,
		Email: Email, Password: first.Password, Cards: 24, Batches: 2, Made: true,
	}
	if diff := cmp.Diff(wantResult, first); diff != "" || !strings.HasPrefix(first.Token, "cv_test_") {
		t.Fatalf("Load: got the token %s and the result (-want +got):\n%s", first.Token, diff)
	}
	if _, err := s.Users.LogIn(t.Context(), users.Client{}, first.Email, first.Password); err != nil {
		t.Errorf("LogIn as the owner: %v", err)
	}
	if last != [2]int{24, 24} {
		t.Errorf("last progress: got %v, want 24 of 24", last)
	}
	if got, err := s.Accounts.Authenticate(t.Context(), first.Token); err != nil || got.AccountID != first.AccountID {
		t.Errorf("Authenticate: got %+v, %v, want the account %s", got, err, first.AccountID)
	}
	statuses := map[cards.Status]int{}
	publishable := 0
	for _, c := range s.all(t, first.AccountID) {
		statuses[c.Status]++
		if c.Pricing.AskingPrice != nil && len(c.ReadyPhotos()) > 0 {
			publishable++
		}
		if c.Location == nil || c.BatchID == nil || c.SKU == nil {
			t.Errorf("card without a location, a batch or a SKU: %+v", c)
		}
	}
	want := map[cards.Status]int{
		cards.Priced: 10, cards.Photographed: 4, cards.Identified: 3, cards.Imported: 5, cards.NeedsReview: 2,
	}
	if diff := cmp.Diff(want, statuses); diff != "" || publishable != 14 {
		t.Errorf("got %d publishable cards, want 14; statuses (-want +got):\n%s", publishable, diff)
	}
	waiting := 0
	if err := s.DB.Get(t.Context(), &waiting, `SELECT count(*) FROM identifications`); err != nil || waiting != 5 {
		t.Errorf("queued identifications: got %d, %v, want 5", waiting, err)
	}
	list, err := s.Batches.List(t.Context(), first.AccountID, batches.Filter{}, paging.Request{})
	if err != nil || len(list.Data) != 2 || list.Data[0].Status == list.Data[1].Status ||
		list.Data[0].CardCount+list.Data[1].CardCount != 24 {
		t.Errorf("Batches: got %+v, %v, want an open and a complete one with 24 cards", list.Data, err)
	}
	s.loadAgain(t, first)
	s.identifyOne(t, first.AccountID)
}

// loadAgain calls load again, without Install.
func (s Services) loadAgain(t *testing.T, first Result) {
	t.Helper()
	account, err := s.account(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.load(t.Context(), account, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if second.AccountID != first.AccountID || second.Made || second.Token == first.Token {
		t.Errorf("second load: got %+v, want a new token of the same account %+v", second, first)
	}
	if n := len(s.all(t, first.AccountID)); n != 24 {
		t.Errorf("cards after the second load: got %d, want 24", n)
	}
	if list, err := s.Accounts.List(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("accounts after the second load: got %d, %v, want 1", len(list), err)
	}
}

// identifyOne identifies a waiting card like the background worker, and checks the result.
func (s Services) identifyOne(t *testing.T, accountID string) {
	t.Helper()
	list := items()
	it := list[slices.IndexFunc(list, func(it boxed) bool { return it.stage == waiting })]
	found, err := s.Cards.List(t.Context(), accountID, cards.Filter{SKU: &it.sku}, paging.Request{})
	if err != nil || len(found.Data) != 1 {
		t.Fatalf("cards with the SKU %s: got %d, %v, want 1", it.sku, len(found.Data), err)
	}
	_, card, err := s.Identify.Card(t.Context(), accountID, found.Data[0].ID, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, want := card.Identification.CatalogID, Drawings()[it.drawing].ID
	if got == nil || *got != want {
		t.Errorf("identification of %s: got %+v, want the catalogue's card %s", it.sku, card.Identification, want)
	}
}
