package listings

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/postgres"
)

// bulk is a hooked sandbox marketplace that records the sizes of bulk calls.
type bulk struct {
	hooked
	sizes *sizes
}

type sizes struct {
	mu                   sync.Mutex
	publish, revise, end []int
}

func (s *sizes) add(list *[]int, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*list = append(*list, n)
}

func (b bulk) Publish(ctx context.Context, offers []marketplaces.Offer) []marketplaces.Result {
	b.sizes.add(&b.sizes.publish, len(offers))
	return b.hooked.Publish(ctx, offers)
}

func (b bulk) Revise(ctx context.Context, offers []marketplaces.Offer) []marketplaces.Result {
	b.sizes.add(&b.sizes.revise, len(offers))
	return b.hooked.Revise(ctx, offers)
}

func (b bulk) End(ctx context.Context, refs []marketplaces.Ref) []marketplaces.Result {
	b.sizes.add(&b.sizes.end, len(refs))
	return b.hooked.End(ctx, refs)
}

// setupBulk is setup with bulk calls.
func setupBulk(t *testing.T) (*shop, *sizes) {
	t.Helper()
	s, seen := setup(t), &sizes{}
	s.sellTogether(func(account string) marketplaces.Marketplace { return bulk{s.seller(account).(hooked), seen} })
	s.cfg.StatusInterval = time.Hour // checks of many listings would be due all the time
	s.worker = NewWorker(s.Service)
	return s, seen
}

// bulkLimits are more than a worker handles together.
var bulkLimits = marketplaces.Limits{Publish: 100, Revise: 100, End: 100, RevisionsPerDay: maxRevisions}

// sellTogether is sell for a marketplace with bulk calls.
func (s *shop) sellTogether(seller func(account string) marketplaces.Marketplace) {
	s.cfg.Markets["sandbox"] = Market{Seller: seller, Limits: bulkLimits}
}

// publishAll requests to publish n new cards.
func (s *shop) publishAll(n int) []Listing {
	s.t.Helper()
	ids := make([]string, n)
	for i := range ids {
		ids[i] = s.card().ID
	}
	results, err := s.PublishMany(s.t.Context(), s.account, ids, nil, true, true, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	made := make([]Listing, n)
	for i, r := range results {
		made[i] = r.Listing
	}
	return made
}

func TestWorker_PublishesTogether(t *testing.T) {
	t.Parallel()
	s, seen := setupBulk(t)
	made := s.publishAll(maxGroup + 2)
	s.processDue()
	for _, l := range made {
		l = s.want(l, Live)
		s.wantEvents(l.CardID, "listing.published", "priced→listed")
	}
	slices.Sort(seen.publish)
	if !slices.Equal(seen.publish, []int{2, 25}) || s.atMarket("live") != 27 {
		t.Errorf("27 listings were published by calls of %v and are %d at the marketplace",
			seen.publish, s.atMarket("live"))
	}
	seen.publish = nil
	one := s.live()
	if !slices.Equal(seen.publish, []int{1}) {
		t.Errorf("%s was published by calls of %v, want it alone", one.ID, seen.publish)
	}
}

// One listing is refused, one was withdrawn by a sale elsewhere while it waited, and one can never be described.
func TestWorker_GroupKeepsResultsApart(t *testing.T) {
	t.Parallel()
	s, _ := setupBulk(t)
	made := s.publishAll(5)
	_, err := s.db.Exec(t.Context(), `UPDATE listings SET title = '' WHERE account_id = $1 AND id = $2`,
		s.account, made[1].ID)
	if err != nil {
		t.Fatal(err)
	}
	s.setHook(func(call string, next func() error) error {
		s.hook.Store(nil)
		s.withdraw(made[3])
		return next()
	})
	s.processDue()
	for _, i := range []int{0, 2, 4} {
		s.want(made[i], Live)
	}
	if l := s.want(made[1], Failed); l.Failure.Code != marketplaces.CodeTitle {
		t.Errorf("failure = %+v, want %s", l.Failure, marketplaces.CodeTitle)
	}
	s.processed(made[3], Ended)
	if n := s.atMarket("live"); n != 3 {
		t.Errorf("%d live listings at the marketplace, want 3", n)
	}
}

// The marketplace fails for every group that contains one of the listings. The others are live after few attempts.
func TestWorker_GroupSurvivesPoisonedCall(t *testing.T) {
	t.Parallel()
	s, _ := setupBulk(t)
	s.setHook(func(call string, next func() error) error {
		if call == "publish many" {
			return errors.New("system error")
		}
		return next()
	})
	made := s.publishAll(4)
	for range maxGroupAttempts {
		s.processDue()
		for _, l := range made {
			s.want(l, Publishing)
		}
		s.pass(time.Minute)
	}
	s.processDue()
	for _, l := range made {
		s.want(l, Live)
	}
}

// A worker dies after its bulk call reached the marketplace. Another one continues when the lease expires.
func TestWorker_GroupRecoversFromCrash(t *testing.T) {
	t.Parallel()
	s, seen := setupBulk(t)
	made := s.publishAll(6)
	s.dieTogether(6)
	for _, l := range made {
		s.processed(l, Publishing) // the claims of the dead worker are still valid
	}
	s.pass(lease + time.Second)
	s.processDue()
	for _, l := range made {
		l = s.want(l, Live)
		s.wantEvents(l.CardID, "listing.published", "priced→listed")
	}
	if n := s.atMarket("live"); n != 6 || !slices.Equal(seen.publish, []int{6, 6}) {
		t.Errorf("%d live listings at the marketplace after calls of %v, want 6", n, seen.publish)
	}
	for i, l := range made {
		s.reprice(l, dollars(int64(2000+i)))
	}
	s.dieTogether(6)
	s.pass(lease + time.Second)
	s.processDue()
	for _, l := range made {
		if l = s.want(l, Live); l.Revision.Status != RevisionDone {
			t.Errorf("revision = %+v, want it done", l.Revision)
		}
	}
}

// dieTogether makes a worker claim n listings and die after its bulk call.
func (s *shop) dieTogether(n int) {
	s.t.Helper()
	ctx, kill := context.WithCancel(s.t.Context())
	s.setHook(func(_ string, next func() error) error { defer kill(); return next() })
	claims, err := s.work.Claim(ctx, s.db, s.account, n, lease)
	if err != nil || len(claims) != n {
		s.t.Fatal(claims, err)
	}
	for _, err := range s.worker.handle(ctx, claims) {
		if !errors.Is(err, context.Canceled) {
			s.t.Fatalf("the worker ended with %v", err)
		}
	}
	s.hook.Store(nil)
}

// Two workers publish the listings of a seller who clicked twice.
func TestWorker_GroupsOfTwoWorkers(t *testing.T) {
	t.Parallel()
	s, _ := setupBulk(t)
	made := s.publishAll(30)
	again := make([]string, len(made))
	for i, l := range made {
		again[i] = l.CardID
	}
	results, err := s.PublishMany(t.Context(), s.account, again, nil, true, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Err == nil {
			t.Errorf("the second click made the listing %s", r.Listing.ID)
		}
	}
	other := NewWorker(New(s.db, s.clock, s.cursors, s.Service.cards, s.cfg))
	var wait sync.WaitGroup
	for _, w := range []*Worker{s.worker, other} {
		wait.Go(func() {
			for more := true; more; {
				var err error
				if more, err = w.requests.Once(t.Context()); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	for _, l := range made {
		s.want(l, Live)
	}
	if n := s.atMarket("live"); n != len(made) {
		t.Errorf("%d live listings at the marketplace, want %d", n, len(made))
	}
}

func TestWorker_RevisesTogether(t *testing.T) {
	t.Parallel()
	s, seen := setupBulk(t)
	made := s.publishAll(4)
	s.processDue()
	s.visit(made[1], "buy")
	for i, l := range made {
		s.reprice(l, dollars(int64(2000+i)))
	}
	var once atomic.Bool
	s.setHook(func(call string, next func() error) error {
		if call == "revise many" && once.CompareAndSwap(false, true) {
			s.reprice(made[2], dollars(3000)) // a later price while the call is under way
		}
		return next()
	})
	s.processDue()
	s.hook.Store(nil)
	s.processDue() // the later price
	if !slices.Equal(seen.revise, []int{4, 1}) {
		t.Errorf("prices were sent by calls of %v, want one of 4, and one for the later price", seen.revise)
	}
	s.want(made[1], Sold)
	for i, want := range map[int]string{0: "20.00", 2: "30.00", 3: "20.03"} {
		l := s.want(made[i], Live)
		if got := s.offered(l); l.Revision.Status != RevisionDone || got != l.Title+" "+want {
			t.Errorf("listing %d is %q at the marketplace with the revision %+v, want %s", i, got, l.Revision, want)
		}
	}
}

// Listings are ended together. One was sold before.
func TestWorker_EndsTogether(t *testing.T) {
	t.Parallel()
	s, seen := setupBulk(t)
	made := s.publishAll(4)
	s.processDue()
	s.visit(made[2], "buy")
	ids := make([]string, len(made))
	for i, l := range made {
		ids[i] = l.ID
	}
	if _, err := s.EndMany(t.Context(), s.account, ids, true, nil); err != nil {
		t.Fatal(err)
	}
	s.processDue()
	for i, want := range []Status{Ended, Ended, Sold, Ended} {
		s.want(made[i], want)
	}
	if !slices.Equal(seen.end, []int{4}) || s.atMarket("live") != 0 {
		t.Errorf("4 listings were ended by calls of %v and %d are live", seen.end, s.atMarket("live"))
	}
}

// withdraw ends the listing because its card was sold elsewhere.
func (s *shop) withdraw(l Listing) {
	s.t.Helper()
	err := s.clock.Write(s.t.Context(), s.db, s.account, func(tx *postgres.Tx, stamp clock.Stamp) error {
		return s.Withdraw(s.t.Context(), tx, stamp, l.ID)
	})
	if err != nil {
		s.t.Error(err)
	}
}
