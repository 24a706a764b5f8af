package cards_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
)

// mirror is a client's copy of an inventory: the version of each card. It follows changes and deletions by polling. A
// crash loses the times that it did not save.
type mirror struct {
	inventory
	versions                 map[string]int64
	changedSince, deletedAt  time.Time // saved
	readChanges, readRemoved time.Time // not saved yet
}

func newMirror(i inventory) *mirror {
	return &mirror{
		inventory: i, versions: map[string]int64{},
		changedSince: fromTheStart, deletedAt: fromTheStart, readChanges: fromTheStart, readRemoved: fromTheStart,
	}
}

// poll applies what has changed, and then what was deleted, up to most pages of each.
func (m *mirror) poll(t testing.TB, most int) {
	t.Helper()
	request := paging.Request{Limit: 2}
	for range most {
		found, err := m.cards.List(t.Context(), m.account, cards.Filter{UpdatedSince: &m.changedSince}, request)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range found.Data {
			m.versions[c.ID], m.readChanges = c.Version, c.UpdatedAt
		}
		if found.NextCursor == nil {
			break
		}
		request.Cursor = *found.NextCursor
	}
	request = paging.Request{Limit: 2}
	for range most {
		found, err := m.cards.Deletions(t.Context(), m.account, &m.deletedAt, request)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range found.Data {
			delete(m.versions, d.CardID)
			m.readRemoved = d.DeletedAt
		}
		if found.NextCursor == nil {
			break
		}
		request.Cursor = *found.NextCursor
	}
}

func (m *mirror) save()  { m.changedSince, m.deletedAt = m.readChanges, m.readRemoved }
func (m *mirror) crash() { m.readChanges, m.readRemoved = m.changedSince, m.deletedAt }

// After any sequence of changes, deletions, interrupted polls and crashes, a mirror that polls to the end has the
// inventory.
func TestMirror_EqualsInventory(t *testing.T) {
	t.Parallel()
	i, seed := setup(t), rand.Uint64()
	t.Log("seed", seed)
	m, random := newMirror(i), rand.New(rand.NewPCG(seed, 0))
	var all []string // also deleted cards
	for range 30 {
		for range 15 {
			m.step(t, random, &all)
		}
		m.catchUp(t)
		want := map[string]int64{}
		for _, cardID := range i.sorted(t, cards.Filter{}) {
			want[cardID] = i.get(t, cardID).Version
		}
		if diff := cmp.Diff(want, m.versions); diff != "" {
			t.Fatalf("cards (-inventory +mirror):\n%s", diff)
		}
	}
}

// step changes the inventory, or has the mirror poll, save or crash.
func (m *mirror) step(t testing.TB, random *rand.Rand, all *[]string) {
	t.Helper()
	action, err := random.IntN(7), error(nil)
	if len(*all) == 0 {
		action = 0
	}
	switch action {
	case 0, 1:
		*all = append(*all, m.create(t, cards.Draft{}).ID)
	case 2, 3:
		patch := cards.Patch{Notes: cards.Set(fmt.Sprint(random.IntN(3) + 1))}
		_, err = m.cards.Update(t.Context(), m.account, (*all)[random.IntN(len(*all))], patch, nil)
	case 4:
		_, err = m.cards.Delete(t.Context(), m.account, (*all)[random.IntN(len(*all))], nil)
	case 5:
		if m.poll(t, 1+random.IntN(3)); random.IntN(2) == 0 {
			m.save()
		}
	case 6:
		m.crash()
	}
	if err != nil && !fault.Is(err, fault.CardNotFound) { // it is deleted already
		t.Fatal(err)
	}
}

// catchUp polls until nothing is new.
func (m *mirror) catchUp(t testing.TB) {
	t.Helper()
	for {
		changed, deleted := m.changedSince, m.deletedAt
		m.poll(t, 3)
		if m.save(); m.changedSince.Equal(changed) && m.deletedAt.Equal(deleted) {
			return
		}
	}
}
