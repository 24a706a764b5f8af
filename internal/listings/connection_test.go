package listings

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/sandbox"
	"github.com/cardvault/cardvault/internal/postgres"
)

// link is the connection of the shop's account to its marketplace.
type link struct {
	shop  *shop
	since time.Time
	err   error // while it is broken
}

// linked makes the shop's marketplace one to which the account is connected.
func (s *shop) linked() *link {
	k := &link{shop: s, since: s.clock.Time()}
	s.sell(func(account string) marketplaces.Marketplace { return linkedMarket{s.seller(account), k} })
	return k
}

// revoke breaks the connection.
func (k *link) revoke() {
	k.err = &marketplaces.ConnectionError{Code: marketplaces.CodeConnectionRevoked, Message: "connect it again"}
	k.shop.setHook(func(string, func() error) error { return k.err })
}

// restore connects the account again.
func (k *link) restore() {
	k.shop.t.Helper()
	k.err, k.since = nil, k.shop.clock.Time()
	k.shop.hook.Store(nil)
	err := k.shop.db.InTx(k.shop.t.Context(), func(tx *postgres.Tx) error {
		return NewWaiting(k.shop.cfg.Reviser).Resume(k.shop.t.Context(), tx, k.shop.account, sandbox.Name)
	})
	if err != nil {
		k.shop.t.Fatal(err)
	}
}

// linkedMarket is a marketplaces.Connected.
type linkedMarket struct {
	marketplaces.Marketplace
	link *link
}

func (m linkedMarket) ConnectedSince(context.Context) (time.Time, error) {
	return m.link.since, m.link.err
}

// Listings wait for the connection however long it takes, and continue at once when it is there again.
func TestWorker_WaitsForConnection(t *testing.T) {
	t.Parallel()
	s := setup(t)
	k := s.linked()
	ending, revised, live := s.live(), s.live(), s.live()
	k.revoke()
	publishing := s.publish()
	if _, err := s.End(t.Context(), s.account, ending.ID, nil); err != nil {
		t.Fatal(err)
	}
	title := "Ember Fox, foil"
	if _, err := s.Update(t.Context(), s.account, revised.ID, UpdateInput{Title: &title}, nil); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		s.processed(publishing, Publishing)
		s.want(ending, Ending)
		s.want(live, Live)
		s.want(revised, Live)
		s.poll()
		s.pass(publishTimeout)
	}
	s.processDue() // nothing is due from here on
	k.restore()
	s.processed(publishing, Live)
	s.want(ending, Ended)
	s.want(live, Live)
	if l := s.want(revised, Live); l.Revision.Status != RevisionDone {
		t.Errorf("revision after the account was connected again: got %s, want done", l.Revision.Status)
	}
	if n := s.atMarket("live"); n != 3 {
		t.Errorf("live listings at the marketplace: got %d, want 3", n)
	}
}

// A marketplace that does not answer for a day still ends the attempt of a connected account.
func TestWorker_PublishTimeoutWhileConnected(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.linked()
	s.setHook(func(call string, next func() error) error {
		if call == "publish" {
			return context.DeadlineExceeded
		}
		return next()
	})
	l := s.publish()
	s.processed(l, Publishing)
	s.pass(publishTimeout + time.Minute)
	if l = s.processed(l, Failed); l.Failure.Code != Unreachable {
		t.Errorf("failure: got %+v, want %s", l.Failure, Unreachable)
	}
}

func TestWaiting_OpenOn(t *testing.T) {
	t.Parallel()
	s := setup(t)
	waiting := NewWaiting(s.cfg.Reviser)
	want := func(marketplace string, want bool) {
		t.Helper()
		open, err := waiting.OpenOn(t.Context(), s.db, s.account, marketplace)
		if err != nil || open != want {
			t.Errorf("OpenOn(%s) = %v, %v, want %v", marketplace, open, err, want)
		}
	}
	want(sandbox.Name, false)
	l := s.publish()
	want(sandbox.Name, true)
	want("ebay", false)
	wantSample := func(marketplace string, want ...string) {
		t.Helper()
		got, err := waiting.SampleOn(t.Context(), s.db, s.account, marketplace, 2)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("SampleOn(%s): %v (-want +got):\n%s", marketplace, err, diff)
		}
	}
	wantSample(sandbox.Name) // the marketplace does not have it yet
	s.processed(l, Live)
	want(sandbox.Name, true)
	wantSample(sandbox.Name, l.ID)
	wantSample("ebay")
	if _, err := s.End(t.Context(), s.account, l.ID, nil); err != nil {
		t.Fatal(err)
	}
	s.processed(l, Ended)
	want(sandbox.Name, false)
	wantSample(sandbox.Name)
}
