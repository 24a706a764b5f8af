package main

import (
	"context"
	"math/rand/v2"
	"net/url"
	"strings"
)

// measureReads measures polls and searches, and compares them with the build before in the same rounds. The baseline
// has neither.
func measureReads(ctx context.Context, s settings, t *table) error {
	processes, stop, err := startAll(ctx, s)
	defer stop()
	if err != nil {
		return err
	}
	stocks, err := readStocks(ctx, s, processes)
	if err != nil {
		return err
	}
	for i, o := range reads(stocks[0], s, s.token) {
		entrants := []entrant{{processes[0], o}}
		if len(processes) > 1 {
			entrants = append(entrants, entrant{processes[1], reads(stocks[1], s, s.before.token)[i]})
		}
		samples, err := compare(ctx, s, entrants...)
		if err != nil {
			return err
		}
		t.addRead(o, samples)
	}
	return nil
}

// addRead adds the rows of an operation that the baseline does not have.
func (t *table) addRead(o operation, samples []sample) {
	t.note(o.name, samples[0].rate(), "", "")
	t.note(o.name+": "+spreadNames, samples[0].spread(), "", "")
	if len(samples) > 1 {
		t.addBefore(o.name, o.leastBefore, samples[0], samples[1])
	}
}

// reads draws the requests from a fixed seed, as operations does: pages of a poll, and cards by two words of a title.
func reads(s *stock, c settings, token string) []operation {
	random := rand.New(rand.NewPCG(5, 6))
	poll := operation{name: "GET a page of a poll by updated_since", leastBefore: notSlower}
	search := operation{name: "GET 50 cards by two words of a title", leastBefore: notSlower}
	for range c.connections {
		poll.next = append(poll.next, cycle(draw(random, token, func() string {
			return s.updated[random.IntN(len(s.updated))]
		})))
		search.next = append(search.next, cycle(draw(random, token, func() string {
			return "/cards?limit=50&q=" + url.QueryEscape(twoWords(s.titles[random.IntN(len(s.titles))]))
		})))
	}
	return []operation{poll, search}
}

// twoWords returns the first two words of a text.
func twoWords(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(2, len(words))], " ")
}
