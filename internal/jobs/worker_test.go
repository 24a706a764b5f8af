package jobs

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/queue"
)

// changedOnce reports an error unless each of the cards was changed exactly once, and no other card.
func (s *shop) changedOnce(t rapid.TB, cardIDs []string) {
	t.Helper()
	want := map[string]int{}
	for _, cardID := range cardIDs {
		want[cardID] = 1
	}
	s.changes.mu.Lock()
	defer s.changes.mu.Unlock()
	if diff := cmp.Diff(want, s.changes.times); diff != "" {
		t.Errorf("changes of each card (-want +got):\n%s", diff)
	}
}

func TestService_Background(t *testing.T) {
	t.Parallel()
	s := setup(t)
	loop := s.Background()
	if err := loop.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer loop.Stop(context.WithoutCancel(t.Context()))
	ids := s.create(t, 450)
	job := s.accept(t, Request{Kind: Archive, CardIDs: ids})
	eventually(t, "the job is finished", func() bool { return s.get(t, job).Status.Finished() })
	s.want(t, job, Done, 450, 450, 0)
	s.changedOnce(t, ids)
}

func TestService_FilterOfManyPages(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 650)
	for _, cardID := range ids[:20] {
		s.archive(t, cardID)
	}
	job := s.accept(t, Request{Kind: Archive, Filter: &cards.Filter{Statuses: []cards.Status{cards.Priced}}})
	s.create(t, 3) // after the job
	for s.step(t, job, maxCards); s.get(t, job).Done == 0; s.step(t, job, maxCards) {
		s.create(t, 1)
	}
	s.finish(t, job)
	s.want(t, job, Done, 630, 630, 0)
	s.changedOnce(t, ids[20:])
}

func TestService_FilterWithoutCards(t *testing.T) {
	t.Parallel()
	s := setup(t)
	job := s.accept(t, Request{Kind: Delete, Filter: &cards.Filter{Statuses: []cards.Status{cards.Priced}}})
	s.finish(t, job)
	s.want(t, job, Done, 0, 0, 0)
}

func TestService_FilterWithPrices(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 3)
	dear := cards.Patch{AskingPrice: cards.Set(money.Money{Amount: 9000, Currency: "USD"})}
	if _, err := s.cards.Update(t.Context(), s.account, ids[1], dear, nil); err != nil {
		t.Fatal(err)
	}
	least, currency := int64(8000), "USD"
	job := s.accept(t, Request{Kind: Archive, Filter: &cards.Filter{MinPrice: &least, Currency: &currency}})
	s.finish(t, job)
	s.changedOnce(t, ids[1:2])
}

// TestService_TwoWorkers has several workers on one job, as after a lease that expired too early.
func TestService_TwoWorkers(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 420)
	job := s.accept(t, Request{Kind: Archive, Filter: &cards.Filter{}})
	var workers sync.WaitGroup
	for range 3 {
		workers.Go(func() {
			for finished := false; !finished; {
				var err error
				if finished, _, err = s.advance(t.Context(), s.account, job.ID, 7); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	workers.Wait()
	s.want(t, job, Done, 420, 420, 0)
	s.changedOnce(t, ids)
}

// TestService_ContinuesAfterInterruption cancels the context of a worker between and during transactions.
func TestService_ContinuesAfterInterruption(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 300)
	job := s.accept(t, Request{Kind: Archive, Filter: &cards.Filter{}})
	for wait := time.Millisecond; ; wait += time.Millisecond {
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		finished, _, err := s.advance(ctx, s.account, job.ID, 11)
		cancel()
		if err != nil && ctx.Err() == nil {
			t.Fatal(err)
		}
		if finished && err == nil {
			break
		}
		if err == nil {
			wait = 0
		}
	}
	s.want(t, job, Done, 300, 300, 0)
	s.changedOnce(t, ids)
}

func TestService_RetriesWithFewerCards(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 60)
	job := s.accept(t, Request{Kind: Archive, CardIDs: ids})
	claim := queue.Claim{AccountID: s.account, Key: job.ID, Attempts: 4}
	calls := 0
	s.changes.fail = func() bool { calls++; return calls == 2 }
	if err := s.handle(t.Context(), claim); !errors.Is(err, errInterrupted) {
		t.Fatalf("handle = %v, want the error of the second transaction", err)
	}
	s.want(t, job, Running, 60, firstCards/8, 0)
}

// TestService_ChangesEachCardOnce has jobs of random cards, sizes and failures, some of them cancelled.
func TestService_ChangesEachCardOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	rapid.Check(t, func(rt *rapid.T) {
		s.open(t)
		s.changes.times = map[string]int{}
		s.changes.fail = nil
		ids := s.create(t, rapid.IntRange(1, 250).Draw(rt, "cards"))
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(ids)-1), 0, 5).Draw(rt, "listed") {
			card, err := s.cards.Get(t.Context(), s.account, ids[i])
			if err == nil && card.Listing == nil {
				s.sell(t, ids[i])
			}
		}
		listed := s.rows(t, "listings")
		r := Request{Kind: rapid.SampledFrom([]Kind{Archive, Delete, Update}).Draw(rt, "kind"), CardIDs: ids}
		if rapid.Bool().Draw(rt, "filter") {
			r.CardIDs, r.Filter = nil, &cards.Filter{}
		}
		if r.Kind == Update {
			r.Patch, listed = &cards.Patch{Location: cards.Set("Box 4")}, 0
		}
		job := s.accept(t, r)
		cancelAfter := rapid.IntRange(0, 12).Draw(rt, "cancel after")
		for steps := 1; ; steps++ {
			fails := rapid.IntRange(0, 3).Draw(rt, "fails") == 0
			s.changes.fail = func() bool { return fails }
			finished, _, err := s.advance(t.Context(), s.account, job.ID, rapid.IntRange(1, maxCards).Draw(rt, "size"))
			if err != nil && !errors.Is(err, errInterrupted) {
				rt.Fatal(err)
			}
			if finished {
				break
			}
			if steps == cancelAfter {
				if _, err := s.Cancel(t.Context(), s.account, job.ID, nil); err != nil {
					rt.Fatal(err)
				}
			}
		}
		got := s.get(t, job)
		if got.Done+got.Refused != len(s.changes.times) || got.Refused != s.rows(t, "job_refusals") ||
			s.rows(t, "job_chunks")+s.rows(t, "job_work") != 0 {
			rt.Fatalf("got %+v with %d changed cards", got, len(s.changes.times))
		}
		for cardID, times := range s.changes.times {
			if times != 1 || !slices.Contains(ids, cardID) {
				rt.Fatalf("card %s was changed %d times", cardID, times)
			}
		}
		if got.Status == Done && (got.Total != len(ids) || got.Done+got.Refused != got.Total || got.Refused != listed) {
			rt.Fatalf("got %+v, want %d cards with %d refused", got, len(ids), listed)
		}
	})
}

func TestService_Sweep(t *testing.T) {
	t.Parallel()
	s := setup(t)
	var made []Job
	for range 3 {
		made = append(made, s.accept(t, Request{Kind: Archive, CardIDs: []string{unknownCard}}))
	}
	s.finish(t, made[0])
	s.finish(t, made[1])
	_, err := s.db.Exec(t.Context(),
		`UPDATE jobs SET finished_at = now() - interval '31 days' WHERE id = $1`, made[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if more, err := s.sweep(t.Context()); err != nil || more {
		t.Fatalf("sweep = %v, %v", more, err)
	}
	if _, err := s.Get(t.Context(), s.account, made[0].ID); !fault.Is(err, fault.JobNotFound) {
		t.Errorf("got %v, want no expired job", err)
	}
	if s.rows(t, "jobs") != 2 || s.rows(t, "job_refusals") != 1 || s.rows(t, "job_work") != 1 {
		t.Error("sweep deleted what has not expired")
	}
}
