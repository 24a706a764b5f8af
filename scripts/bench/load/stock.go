package main

import (
	"context"
	"fmt"
	"net/url"
	"slices"
)

// pageSize is the default of the API's lists.
const pageSize = 50

// deepPage is the page that must cost what page 1 costs.
const deepPage = 1000

// stock is the part of the measured account's data that requests are built from.
type stock struct {
	cards    []string // identifiers
	titles   []string // of all cards that have one
	sets     []string
	statuses []string
	// unpriced and priced are cards without a listing photo, whose price can be set and cleared
	// again: each such change fires one event.
	unpriced, priced []string
	// created and updated are the pages of a list by their targets, page 1 first, in the two orders.
	created, updated []string
}

// listed is what readStock looks at of a page.
type listed struct {
	Data []struct {
		ID     string  `json:"id"`
		Status string  `json:"workflow_status"`
		Title  *string `json:"title"`
		Set    *string `json:"set"`
	} `json:"data"`
	NextCursor *string `json:"next_cursor"`
}

// readStock walks the list of the measured account to its end, as a client would, in both orders.
func readStock(ctx context.Context, service *process, token string) (*stock, error) {
	s, err := readAccount(ctx, service, token)
	if err != nil {
		return nil, err
	}
	if len(s.created) < deepPage {
		return nil, fmt.Errorf("the account has %d pages of cards; %d are needed: is the database seeded?",
			len(s.created), deepPage)
	}
	since := fmt.Sprintf("/cards?limit=%d&updated_since=2000-01-01T00:00:00Z", pageSize)
	s.updated, err = s.walk(ctx, service, token, since, func(listed) {})
	return s, err
}

// readAccount walks the list of an account of any size, newest first.
func readAccount(ctx context.Context, service *process, token string) (s *stock, err error) {
	s = &stock{}
	s.created, err = s.walk(ctx, service, token, fmt.Sprintf("/cards?limit=%d", pageSize), s.add)
	return s, err
}

// walk follows the cursors of a list and returns the target of every page.
func (s *stock) walk(ctx context.Context, service *process, token, first string, visit func(listed)) ([]string, error) {
	var targets []string
	for target := first; ; {
		var page listed
		if err := fetch(ctx, service, target, token, &page); err != nil {
			return nil, err
		}
		visit(page)
		targets = append(targets, target)
		if page.NextCursor == nil {
			return targets, nil
		}
		target = first + "&cursor=" + url.QueryEscape(*page.NextCursor)
	}
}

func (s *stock) add(page listed) {
	for _, card := range page.Data {
		s.cards = append(s.cards, card.ID)
		switch card.Status {
		case "identified":
			s.unpriced = append(s.unpriced, card.ID)
		case "priced":
			s.priced = append(s.priced, card.ID)
		}
		if !slices.Contains(s.statuses, card.Status) {
			s.statuses = append(s.statuses, card.Status)
		}
		if card.Title != nil {
			s.titles = append(s.titles, *card.Title)
		}
		if card.Set != nil && !slices.Contains(s.sets, *card.Set) {
			s.sets = append(s.sets, *card.Set)
		}
	}
}
