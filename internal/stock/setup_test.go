package stock

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// shop has two accounts whose stock is recorded.
type shop struct {
	t            *testing.T
	db           *postgres.DB
	service      *Service
	recorder     *Recorder
	cards        *inventory
	mine, theirs string
	zone         string // of both
}

// inventory is a cards.Service that counts how often the recorder reads cards, and fails for one account.
type inventory struct {
	*cards.Service
	reads  int
	fails  string // the account
	err    error
	panics bool
}

// SummarizeNow implements Cards.
func (i *inventory) SummarizeNow(
	ctx context.Context, accountID string, f cards.Filter, groupBy string,
) (*cards.Summary, error) {
	i.reads++
	if accountID == i.fails && i.panics {
		panic("boom")
	}
	if accountID == i.fails {
		return nil, i.err
	}
	return i.Service.SummarizeNow(ctx, accountID, f, groupBy)
}

func setup(t *testing.T) *shop {
	t.Helper()
	db := pgtest.New(t)
	cursors, err := paging.NewCursors([]byte("a secret of thirty-two bytes ..."))
	if err != nil {
		t.Fatal(err)
	}
	recorder := events.NewRecorder(nil) // the accounts have no webhook endpoints
	grouped := batches.New(db, clock.System, cursors, recorder)
	list := cards.New(db, clock.System, cursors, recorder, grouped, cards.NewQueues())
	holders := accounts.New(db, clock.System)
	// It is about noon there, so that no day ends during the test. The zones are named by what they are behind UTC.
	zone := fmt.Sprintf("Etc/GMT%+d", time.Now().UTC().Hour()-12)
	s := &shop{t: t, db: db, zone: zone, cards: &inventory{Service: list}}
	s.service, s.recorder = New(db, s.cards), NewRecorder(db, holders, s.cards)
	for _, id := range []*string{&s.mine, &s.theirs} {
		account, err := holders.CreateWith(t.Context(), accounts.Settings{Name: t.Name(), TimeZone: zone})
		if err != nil {
			t.Fatal(err)
		}
		*id = account.ID
	}
	return s
}

// add creates a card with these prices in US dollars.
func (s *shop) add(accountID string, asking, cost int64) {
	s.t.Helper()
	in := func(amount int64) money.Money { return money.Money{Amount: amount, Currency: "USD"} }
	_, err := s.cards.Create(s.t.Context(), accountID, []cards.Draft{{Patch: cards.Patch{
		Title: cards.Set("Ember Fox"), AskingPrice: cards.Set(in(asking)), Cost: cards.Set(in(cost)),
	}}}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
}

// archiveAll takes all cards of an account out of its stock.
func (s *shop) archiveAll(accountID string) {
	s.t.Helper()
	s.exec(`UPDATE cards SET workflow_status = 'archived' WHERE account_id = $1`, accountID)
	s.exec(`UPDATE account_clock SET change = change + 1 WHERE account_id = $1`, accountID)
}

func (s *shop) exec(statement string, args ...any) {
	s.t.Helper()
	if _, err := s.db.Exec(s.t.Context(), statement, args...); err != nil {
		s.t.Fatal(err)
	}
}

// due ends the pause between two rounds.
func (s *shop) due() {
	s.t.Helper()
	s.exec(`UPDATE stock_recording SET due_at = now()`)
}

// visit lets the recorder work as far as it has to.
func (s *shop) visit() {
	s.t.Helper()
	for more := true; more; {
		var err error
		if more, err = s.recorder.Loop().Once(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
	}
}

// round records all accounts.
func (s *shop) round() {
	s.t.Helper()
	s.due()
	s.visit()
}

// age makes the recorded days older, as if so many days had passed.
func (s *shop) age(days int) {
	s.t.Helper()
	for _, step := range []int{100_000, -100_000 - days} { // so that no day meets another one
		s.exec(`UPDATE stock_values SET day = day + $1::int`, step)
	}
}

// today returns the current date in the time zone of both accounts.
func (s *shop) today() time.Time {
	s.t.Helper()
	at, err := readAccount(s.t.Context(), s.db, s.theirs)
	if err != nil {
		s.t.Fatal(err)
	}
	return at.today()
}

func (s *shop) store(accountID string, d Day, change int64) {
	s.t.Helper()
	if err := store(s.t.Context(), s.db, accountID, d, change); err != nil {
		s.t.Error(err)
	}
}

// want checks which days of an account are recorded.
func (s *shop) want(accountID, when string, want ...Day) {
	s.t.Helper()
	got, err := recorded(s.t.Context(), s.db, accountID, time.Time{}, s.today().AddDate(0, 0, 1))
	if err != nil {
		s.t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		s.t.Errorf("%s: recorded days (-want +got):\n%s", when, diff)
	}
}

func day(today time.Time, ago int, cards int64, values []Value) Day {
	return Day{Date: today.AddDate(0, 0, -ago), Cards: cards, Values: values}
}
