package cardvault

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// inventory is a fake service with cards. It lists them in the order of their changes, as the contract promises.
type inventory struct {
	t      testing.TB
	clock  time.Time       // the time of the last change
	cards  map[string]Card // by identifier
	page   int             // the number of cards per page
	before func()          // called before each response
	asked  []string        // the updated_since of each request
}

func newInventory(t testing.TB, page int) *inventory {
	return &inventory{
		t: t, page: page, cards: map[string]Card{}, before: func() {},
		clock: time.Date(2026, 5, 11, 15, 32, 1, 0, time.UTC),
	}
}

// change changes or creates cards in one transaction, so that all of them have the same time.
func (i *inventory) change(ids ...string) {
	i.clock = i.clock.Add(time.Microsecond)
	for _, id := range ids {
		i.cards[id] = Card{ID: id, Version: i.cards[id].Version + 1, UpdatedAt: i.clock}
	}
}

// answer lists the cards that changed at or after updated_since. A cursor is the time and identifier of the last card.
func (i *inventory) answer(r *http.Request) (*http.Response, error) {
	i.before()
	query := r.URL.Query()
	i.asked = append(i.asked, query.Get("updated_since"))
	since, err := time.Parse(time.RFC3339, query.Get("updated_since"))
	if err != nil {
		i.t.Error(err)
	}
	after := since.Format(sixDecimals)
	if cursor := query.Get("cursor"); cursor != "" {
		after = cursor
	}
	var cards []Card
	for _, card := range i.cards {
		if !card.UpdatedAt.Before(since) && position(card) > after {
			cards = append(cards, card)
		}
	}
	slices.SortFunc(cards, func(a, b Card) int { return cmp.Compare(position(a), position(b)) })
	var page CardPage
	if page.Data = cards; len(cards) > i.page {
		page.Data, page.HasMore = cards[:i.page], true
		page.NextCursor = Ptr(position(page.Data[i.page-1]))
	}
	text, err := json.Marshal(page)
	if err != nil {
		i.t.Error(err)
	}
	return respond(http.StatusOK, string(text))(r)
}

const sixDecimals = "2006-01-02T15:04:05.000000Z"

// position returns the position of a card in the order of changes, as a text that sorts.
func position(c Card) string { return c.UpdatedAt.Format(sixDecimals) + c.ID }

// states returns the current states of the cards.
func (i *inventory) states() []string {
	var states []string
	for _, card := range i.cards {
		states = append(states, state(card))
	}
	slices.Sort(states)
	return states
}

func state(c Card) string { return fmt.Sprintf("%s v%d", c.ID, c.Version) }

// pass returns the states that one pass yields.
func pass(t testing.TB, changes *Changes) []string {
	t.Helper()
	var states []string
	for card, err := range changes.Once(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, state(card))
	}
	return states
}

func words(list []string) string { return strings.Join(list, ", ") }
