package jobs

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

const unknownCard = "card_01k5w0q2m7t9c3r5v8x0z1b4d6"

func TestService_Kinds(t *testing.T) {
	t.Parallel()
	for kind, tc := range map[Kind]struct {
		prepare func(t *testing.T, s *shop, ids []string)
		refused string // the code for the second card; "" if it is changed
		changed func(c cards.Card) bool
	}{
		Update: {nil, "", func(c cards.Card) bool { return c.Location != nil && *c.Location == "Box 4" }},
		Archive: {func(t *testing.T, s *shop, ids []string) { s.sell(t, ids[1]) }, "card_listed",
			func(c cards.Card) bool { return c.Archived }},
		Identify: {func(t *testing.T, s *shop, ids []string) { s.photograph(t, ids[0]) }, "card_has_no_photo",
			func(c cards.Card) bool { return !c.AutoIdentify }},
		Publish: {func(t *testing.T, s *shop, ids []string) { s.photograph(t, ids[0]) }, "card_has_no_photo",
			func(c cards.Card) bool { return c.Listing != nil && c.Listing.Status == string(listings.Publishing) }},
		End: {func(t *testing.T, s *shop, ids []string) { s.goLive(t, ids[0]) }, "listing_not_live",
			func(c cards.Card) bool { return c.Listing != nil && c.Listing.Status == string(listings.Ending) }},
		Delete: {func(t *testing.T, s *shop, ids []string) { s.photograph(t, ids[0]); s.sell(t, ids[1]) },
			"card_listed", nil},
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			ids := s.create(t, 2)
			if tc.prepare != nil {
				tc.prepare(t, s, ids)
			}
			r := Request{Kind: kind, CardIDs: []string{strings.ToUpper(ids[0]), ids[1], unknownCard}}
			if kind == Update {
				r.Patch = &cards.Patch{Location: cards.Set("Box 4")}
			}
			job := s.accept(t, r)
			before, _ := s.cards.Get(t.Context(), s.account, ids[0])
			s.finish(t, job)
			refused := map[string]string{unknownCard: "card_not_found"}
			if tc.refused != "" {
				refused[ids[1]] = tc.refused
			}
			s.want(t, job, Done, 3, 3-len(refused), len(refused))
			if diff := cmp.Diff(refused, s.refusals(t, job)); diff != "" {
				t.Errorf("refusals (-want +got):\n%s", diff)
			}
			s.checkChanged(t, before, tc.changed)
			if s.rows(t, "job_work") != 0 || s.rows(t, "job_chunks") != 0 {
				t.Error("a finished job has work left")
			}
		})
	}
}

func TestService_KeepsHints(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 1)
	s.photograph(t, ids[0])
	want := catalog.Hints{Game: "magic", Set: "Third Age"}
	job := s.accept(t, Request{Kind: Identify, CardIDs: ids, Hints: &want})
	s.finish(t, job)
	if got, err := s.cards.Hints(t.Context(), s.account, ids[0]); err != nil || !cmp.Equal(got, want) {
		t.Errorf("hints of the card: got %+v, %v, want %+v", got, err, want)
	}
	_, err := s.Create(t.Context(), s.account, Request{Kind: Archive, CardIDs: ids, Hints: &want}, true, nil)
	if f, ok := fault.As(err); !ok || f.Details[0].Field != "hints" {
		t.Errorf("hints for another kind: got %v, want an error of the field hints", err)
	}
}

// checkChanged reports an error unless the job has changed the card, or deleted it if changed is nil.
func (s *shop) checkChanged(t *testing.T, before cards.Card, changed func(cards.Card) bool) {
	t.Helper()
	after, err := s.cards.Get(t.Context(), s.account, before.ID)
	if changed == nil {
		if !fault.Is(err, fault.CardNotFound) || len(s.images) > 0 || len(before.Photos) != 1 {
			t.Errorf("got %v and removed images %v, want a deleted card whose image is kept", err, s.images)
		}
		return
	}
	if err != nil || !changed(after) {
		t.Errorf("the card was not changed: %+v, %v", after, err)
	}
	if after.Version == before.Version {
		return // it was queued for identification
	}
	history, err := s.cards.History(t.Context(), s.account, before.ID, paging.Request{})
	if err != nil {
		t.Fatal(err)
	}
	if want := (caller.Actor{Type: caller.TokenActor, ID: s.token}); history.Data[0].Actor != want {
		t.Errorf("actor: got %+v, want %+v", history.Data[0].Actor, want)
	}
}

// sell publishes a card, whose listing is then under way.
func (s *shop) sell(t testing.TB, cardID string) {
	t.Helper()
	s.photograph(t, cardID)
	if _, err := s.market.Publish(t.Context(), s.account, cardID, listings.PublishInput{}, true, nil); err != nil {
		t.Fatal(err)
	}
}

// goLive publishes a card and waits until its listing is live.
func (s *shop) goLive(t testing.TB, cardID string) {
	t.Helper()
	s.sell(t, cardID)
	worker := listings.NewWorker(s.market)
	if err := worker.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer worker.Stop(context.WithoutCancel(t.Context()))
	eventually(t, "the listing is live", func() bool {
		card, err := s.cards.Get(t.Context(), s.account, cardID)
		if err != nil {
			t.Fatal(err)
		}
		return card.Listing.Status == string(listings.Live)
	})
}

func TestService_CreateRefuses(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for name, r := range map[string]Request{
		"no cards":        {Kind: Archive},
		"invalid patch":   {Kind: Update, CardIDs: []string{unknownCard}, Patch: &cards.Patch{Title: cards.Set("")}},
		"unknown account": {Kind: Archive, CardIDs: []string{unknownCard}},
	} {
		account, want := s.account, fault.InvalidRequest
		if name == "unknown account" {
			account, want = "acc_unknown", fault.AccountNotFound
		}
		if _, err := s.Create(t.Context(), account, r, true, nil); !fault.Is(err, want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

func TestService_CreateHook(t *testing.T) {
	t.Parallel()
	s := setup(t)
	hook := func(context.Context, *postgres.Tx) error { return errInterrupted }
	r := Request{Kind: Archive, CardIDs: []string{unknownCard}}
	if _, err := s.Create(t.Context(), s.account, r, true, hook); !errors.Is(err, errInterrupted) {
		t.Errorf("got %v, want the error of the hook", err)
	}
	if n := s.rows(t, "jobs") + s.rows(t, "job_work") + s.rows(t, "job_chunks"); n != 0 {
		t.Errorf("got %d rows, want none", n)
	}
}

func TestService_LimitsUnfinishedJobs(t *testing.T) {
	t.Parallel()
	s := setup(t)
	r := Request{Kind: Archive, CardIDs: []string{unknownCard}}
	var last Job
	for range MaxUnfinished {
		last = s.accept(t, r)
	}
	if _, err := s.Create(t.Context(), s.account, r, true, nil); !fault.Is(err, fault.JobLimitReached) {
		t.Errorf("got %v, want job_limit_reached", err)
	}
	s.finish(t, last)
	s.accept(t, r)
}

func TestService_Cancel(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 250)
	job := s.accept(t, Request{Kind: Archive, CardIDs: ids})
	s.step(t, job, 20)
	s.want(t, job, Running, 250, 20, 0)
	cancelled, err := s.Cancel(t.Context(), s.account, strings.ToUpper(job.ID), nil)
	if err != nil || cancelled.Status != Cancelled {
		t.Fatalf("Cancel = %+v, %v", cancelled, err)
	}
	if !s.step(t, job, 20) {
		t.Error("a cancelled job is not finished")
	}
	s.want(t, job, Cancelled, 250, 20, 0)
	if len(s.changes.times) != 20 || s.rows(t, "job_work") != 0 || s.rows(t, "job_chunks") != 0 {
		t.Errorf("%d cards were changed, want 20 and no work left", len(s.changes.times))
	}
	again, err := s.Cancel(t.Context(), s.account, job.ID, nil)
	if err != nil || !again.FinishedAt.Equal(*cancelled.FinishedAt) {
		t.Errorf("the second Cancel = %+v, %v, want no change", again, err)
	}
	for _, unknown := range []string{"job_x", id.New(id.Job, time.Now())} {
		if _, err := s.Cancel(t.Context(), s.account, unknown, nil); !fault.Is(err, fault.JobNotFound) {
			t.Errorf("Cancel(%s) = %v, want job_not_found", unknown, err)
		}
	}
}

func TestService_List(t *testing.T) {
	t.Parallel()
	s := setup(t)
	var want, got []string
	for range 3 {
		want = append(want, s.accept(t, Request{Kind: Archive, CardIDs: []string{unknownCard}}).ID)
	}
	slices.Reverse(want)
	for p := (paging.Request{Limit: 2}); ; {
		found, err := s.List(t.Context(), s.account, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, job := range found.Data {
			got = append(got, job.ID)
		}
		if found.NextCursor == nil {
			break
		}
		p.Cursor = *found.NextCursor
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("jobs (-want +got):\n%s", diff)
	}
}

func TestService_RefusalHasDetails(t *testing.T) {
	t.Parallel()
	s := setup(t)
	pairs := map[string]*string{}
	for i := range cards.MaxMetadata {
		value := "x"
		pairs[strings.Repeat("k", i%39+1)+string(rune('a'+i/39))] = &value
	}
	draft := cards.Draft{Patch: cards.Patch{Metadata: cards.Set(pairs)}}
	made, err := s.cards.Create(t.Context(), s.account, []cards.Draft{draft}, nil)
	if err != nil {
		t.Fatal(err)
	}
	value := "y"
	more := &cards.Patch{Metadata: cards.Set(map[string]*string{"another": &value})}
	job := s.accept(t, Request{Kind: Update, CardIDs: []string{made[0].ID}, Patch: more})
	s.finish(t, job)
	found, err := s.Refusals(t.Context(), s.account, job.ID, paging.Request{})
	if err != nil || len(found.Data) != 1 {
		t.Fatalf("got %+v, %v, want one refusal", found.Data, err)
	}
	f := found.Data[0].Err
	if f.Code != fault.InvalidRequest || len(f.Details) != 1 || f.Details[0].Field != "metadata" {
		t.Errorf("got %+v, want invalid_request about metadata", f)
	}
}

func TestService_PriceChange(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 2)
	clear := cards.Patch{AskingPrice: cards.Clear[money.Money]()}
	if _, err := s.cards.Update(t.Context(), s.account, ids[1], clear, nil); err != nil {
		t.Fatal(err)
	}
	change := cards.PriceChange{Hundredths: -12_50, To99: true}
	job := s.accept(t, Request{Kind: Update, CardIDs: ids, PriceChange: &change})
	s.finish(t, job)
	s.want(t, job, Done, 2, 1, 1)
	if diff := cmp.Diff(map[string]string{ids[1]: "card_not_priced"}, s.refusals(t, job)); diff != "" {
		t.Errorf("refusals (-want +got):\n%s", diff)
	}
	card, err := s.cards.Get(t.Context(), s.account, ids[0])
	if err != nil || card.Pricing.AskingPrice.Amount != 399 {
		t.Errorf("got %v, %v, want 3.99, the price next to 4.38 that ends in .99", card.Pricing.AskingPrice, err)
	}
	change.Hundredths = -100_00
	_, err = s.Create(t.Context(), s.account, Request{Kind: Update, CardIDs: ids, PriceChange: &change}, true, nil)
	if f, _ := fault.As(err); f == nil || f.Details[0].Field != "price_change.percent" {
		t.Errorf("minus 100 percent: %v, want an error of the field price_change.percent", err)
	}
}

func TestService_StoredPatchClears(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 1)
	keep := cards.Patch{Location: cards.Set("Box 4"), Notes: cards.Set("x")}
	if _, err := s.cards.Update(t.Context(), s.account, ids[0], keep, nil); err != nil {
		t.Fatal(err)
	}
	job := s.accept(t, Request{Kind: Update, CardIDs: ids, Patch: &cards.Patch{
		AskingPrice: cards.Clear[money.Money](), Notes: cards.Clear[string](), SKU: cards.Set("A-1"),
	}})
	s.finish(t, job)
	card, err := s.cards.Get(t.Context(), s.account, ids[0])
	if err != nil {
		t.Fatal(err)
	}
	if card.Pricing.AskingPrice != nil || card.Notes != nil || *card.SKU != "A-1" || *card.Location != "Box 4" {
		t.Errorf("got %+v, want price and notes cleared, the SKU set and the location unchanged", card)
	}
}
