package jobs

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/marketplaces/sandbox"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/polltest"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/sales"
	"github.com/cardvault/cardvault/internal/sandboxmarket/markettest"
)

// shop is an account with the real services, whose changes to cards can fail.
type shop struct {
	*Service
	account string
	token   string
	cards   *cards.Service
	market  *listings.Service
	changes *changes
	sales   *sales.Service
	batches *batches.Service
	events  *events.Reader
	images  []string               // the identifiers of the photos whose images were removed
	prices  map[string]money.Money // the estimates of cards; the others have none
}

func setup(t testing.TB) *shop {
	t.Helper()
	db := pgtest.New(t)
	cursors, err := paging.NewCursors([]byte("a secret of thirty-two bytes ..."))
	if err != nil {
		t.Fatal(err)
	}
	recorder := events.NewRecorder(nil) // without webhooks
	grouped := batches.New(db, clock.System, cursors, recorder)
	s := &shop{
		cards:  cards.New(db, clock.System, cursors, recorder, grouped, cards.NewQueues()),
		events: events.NewReader(db, cursors),
		token:  "tok_1",
	}
	server := httptest.NewServer(markettest.On(t, db))
	t.Cleanup(server.Close)
	seller, err := sandbox.New(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	s.market = listings.New(db, clock.System, cursors, s.cards, listings.Config{
		Markets: map[string]listings.Market{sandbox.Name: {Seller: seller.Seller}},
		Default: sandbox.Name, Sandbox: sandbox.Name,
		ImageURLs: func(cards.Card, time.Time) []string { return []string{"https://photos.example/front.jpg"} },
	})
	s.changes = &changes{Service: s.cards, Listings: s.market, times: map[string]int{}}
	s.sales = sales.New(db, clock.System, cursors, recorder, s.cards, s.market, nil)
	s.batches = grouped
	s.Service = New(db, clock.System, cursors, s.changes, s.changes, s, s, s.sales)
	s.open(t)
	return s
}

// open creates an account and makes it the shop's.
func (s *shop) open(t testing.TB) {
	t.Helper()
	account, err := accounts.New(s.db, clock.System).Create(t.Context(), "Ada's cards", true)
	if err != nil {
		t.Fatal(err)
	}
	s.account = account.ID
}

// eventually polls until done returns true and fails the test after a minute. It is for work of background loops, whose
// only signal is its result.
func eventually(t testing.TB, what string, done func() bool) {
	t.Helper()
	polltest.Until(t, time.Minute, what, done)
}

// RemoveImages implements Photos.
func (s *shop) RemoveImages(_ context.Context, _ string, photos []cards.Photo) {
	for _, p := range photos {
		s.images = append(s.images, p.ID)
	}
}

// Estimates implements Prices.
func (s *shop) Estimates(_ context.Context, _ string, cardIDs []string) ([]money.Money, []error, error) {
	prices, refused := make([]money.Money, len(cardIDs)), make([]error, len(cardIDs))
	for i, cardID := range cardIDs {
		price, ok := s.prices[cardID]
		if !ok {
			refused[i] = fault.New(fault.NoPriceFound, "There is no price.")
		}
		prices[i] = price
	}
	return prices, refused, nil
}

// changes counts the committed changes of each card. Its calls fail after the change if fail returns true, as if the
// process ended before the commit.
type changes struct {
	*cards.Service
	Listings
	fail  func() bool
	mu    sync.Mutex
	times map[string]int
}

var errInterrupted = errors.New("interrupted")

// count counts the changes of cards if the transaction commits.
func (c *changes) count(tx *postgres.Tx, cardIDs []string) error {
	if c.fail != nil && c.fail() {
		return errInterrupted
	}
	tx.AfterCommit(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, cardID := range cardIDs {
			c.times[cardID]++
		}
	})
	return nil
}

func (c *changes) UpdateManyIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, updates []cards.ItemUpdate,
) ([]cards.ItemResult, error) {
	results, err := c.Service.UpdateManyIn(ctx, tx, stamp, updates)
	cardIDs := make([]string, len(updates))
	for i := range updates {
		cardIDs[i] = updates[i].CardID
	}
	return results, errors.Join(err, c.count(tx, cardIDs))
}

func (c *changes) EnqueueIdentifications(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string, hints *catalog.Hints,
) ([]cards.ItemResult, error) {
	results, err := c.Service.EnqueueIdentifications(ctx, tx, stamp, cardIDs, hints)
	return results, errors.Join(err, c.count(tx, cardIDs))
}

func (c *changes) DeleteManyIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, jobID string, cardIDs []string,
) ([]cards.ItemResult, error) {
	results, err := c.Service.DeleteManyIn(ctx, tx, stamp, jobID, cardIDs)
	return results, errors.Join(err, c.count(tx, cardIDs))
}

func (c *changes) RestoreManyIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, jobID string, cardIDs []string, ended cards.EndedSales,
) ([]cards.ItemResult, error) {
	results, err := c.Service.RestoreManyIn(ctx, tx, stamp, jobID, cardIDs, ended)
	return results, errors.Join(err, c.count(tx, cardIDs))
}

func (c *changes) PublishCardsIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string, marketplace string,
) ([]error, error) {
	outcomes, err := c.Listings.PublishCardsIn(ctx, tx, stamp, cardIDs, marketplace)
	return outcomes, errors.Join(err, c.count(tx, cardIDs))
}

func (c *changes) ArchiveCardsIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string,
) ([]cards.ItemResult, error) {
	results, err := c.Listings.ArchiveCardsIn(ctx, tx, stamp, cardIDs)
	return results, errors.Join(err, c.count(tx, cardIDs))
}

func (c *changes) EndCardsIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string,
) ([]error, error) {
	outcomes, err := c.Listings.EndCardsIn(ctx, tx, stamp, cardIDs)
	return outcomes, errors.Join(err, c.count(tx, cardIDs))
}

// create creates cards with a title and a price.
func (s *shop) create(t testing.TB, n int) []string {
	t.Helper()
	var ids []string
	for len(ids) < n {
		drafts := make([]cards.Draft, min(n-len(ids), 500))
		for i := range drafts {
			drafts[i].Title = cards.Set(fmt.Sprintf("Card %d", len(ids)+i))
			drafts[i].AskingPrice = cards.Set(money.Money{Amount: 500, Currency: "USD"})
		}
		made, err := s.cards.Create(t.Context(), s.account, drafts, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range made {
			ids = append(ids, made[i].ID)
		}
	}
	return ids
}

// photograph gives a card a photo and returns its identifier.
func (s *shop) photograph(t testing.TB, cardID string) string {
	t.Helper()
	photo := cards.Photo{
		ID: id.New(id.Photo, time.Now()), Role: cards.RoleFront, Status: cards.PhotoReady, ContentType: "image/jpeg",
		Width: 600, Height: 800,
	}
	if _, _, err := s.cards.PutPhoto(t.Context(), s.account, cardID, photo); err != nil {
		t.Fatal(err)
	}
	return photo.ID
}

// archive archives a card.
func (s *shop) archive(t testing.TB, cardID string) {
	t.Helper()
	archived := true
	if _, err := s.cards.Update(t.Context(), s.account, cardID, cards.Patch{Archived: &archived}, nil); err != nil {
		t.Fatal(err)
	}
}

// accept creates a job.
func (s *shop) accept(t testing.TB, r Request) Job {
	t.Helper()
	ctx := caller.With(t.Context(), caller.Caller{AccountID: s.account, TokenID: s.token})
	job, err := s.Create(ctx, s.account, r, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	if job.Status != Queued {
		t.Errorf("new job: got %+v, want a queued one", job)
	}
	return job
}

// step advances a job once and reports whether it is finished.
func (s *shop) step(t testing.TB, job Job, size int) bool {
	t.Helper()
	finished, _, err := s.advance(t.Context(), s.account, job.ID, size)
	if err != nil {
		t.Fatal(err)
	}
	return finished
}

// finish advances a job until it is finished.
func (s *shop) finish(t testing.TB, job Job) Job {
	t.Helper()
	for !s.step(t, job, maxCards) {
	}
	return s.get(t, job)
}

// get reads a job.
func (s *shop) get(t testing.TB, job Job) Job {
	t.Helper()
	job, err := s.Get(t.Context(), s.account, job.ID)
	if err != nil {
		t.Fatal(err)
	}
	return job
}

// want reports an error unless the job has this status and these counts.
func (s *shop) want(t testing.TB, job Job, status Status, total, done, refused int) {
	t.Helper()
	got := s.get(t, job)
	if got.Status != status || got.Total != total || got.Done != done || got.Refused != refused {
		t.Errorf("job: got %s with total %d, done %d, refused %d; want %s with %d, %d, %d",
			got.Status, got.Total, got.Done, got.Refused, status, total, done, refused)
	}
	if got.Status.Finished() != (got.FinishedAt != nil) {
		t.Errorf("finished_at of a job that is %s: got %v", got.Status, got.FinishedAt)
	}
}

// rows returns the number of rows that a table has for the account.
func (s *shop) rows(t testing.TB, table string) (n int) {
	t.Helper()
	err := s.db.Get(t.Context(), &n, `SELECT count(*) FROM `+table+` WHERE account_id = $1`, s.account)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// refusals returns the code of each refused card.
func (s *shop) refusals(t testing.TB, job Job) map[string]string {
	t.Helper()
	codes := map[string]string{}
	for p := (paging.Request{Limit: 2}); ; {
		found, err := s.Refusals(t.Context(), s.account, job.ID, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found.Data {
			codes[r.CardID] = string(r.Err.Code)
		}
		if found.NextCursor == nil {
			return codes
		}
		p.Cursor = *found.NextCursor
	}
}
