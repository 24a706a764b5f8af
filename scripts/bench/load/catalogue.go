package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"time"
	"unicode"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

const (
	// leastCatalogue is the least number of cards in the catalogue; scripts/bench/seed fills it.
	leastCatalogue = 66_000
	// maxSearchP95 is the aim for a search of it.
	maxSearchP95 = 30 * time.Millisecond
	// searches is the number of different searches. Every run of the same catalogue sends the same.
	searches = 1000
)

// search is a search of the catalogue by a misspelled name.
type search struct{ name, misspelled string }

func (s search) target() string { return "/catalog/cards?q=" + url.QueryEscape(s.misspelled) }

// measureCatalogue measures searches of the catalogue by names with one or two typos over all connections.
func measureCatalogue(ctx context.Context, s settings, t *table) error {
	cards, names, err := catalogueNames(ctx, s.database)
	if err != nil {
		return err
	}
	all := misspell(names)
	service, err := startService(ctx, s, "service", s.build)
	if err != nil {
		return err
	}
	defer service.stop()
	hits, err := countFound(ctx, s, service, all)
	if err != nil {
		return err
	}
	o := operation{name: "GET /catalog/cards by a misspelled name", next: searchRequests(all, s.connections, s.token)}
	samples, err := compare(ctx, s, entrant{service, o})
	if err != nil {
		return err
	}
	name := fmt.Sprintf("GET /catalog/cards by a name with one or two typos, %d cards, %d connections: ",
		cards, s.connections)
	p95 := measure.Percentile(samples[0].took, 0.95)
	t.add(name+"p95", measure.Milliseconds(p95), "", "", "≤ "+measure.Milliseconds(maxSearchP95), p95 <= maxSearchP95)
	t.note(name+"rate", samples[0].rate(), "", "")
	t.note(name+spreadNames, samples[0].spread(), "", "")
	t.note(name+"processor time per request, program + PostgreSQL", cost(samples[0]), "", "")
	t.note(name+"pages that have the card's name", fmt.Sprintf("%.1f %%", 100*float64(hits)/float64(len(all))), "", "")
	return nil
}

// catalogueNames returns the number of cards in the catalogue and some of their names, the same in each run.
func catalogueNames(ctx context.Context, database string) (cards int, names []string, err error) {
	db, err := sql.Open("postgres", database)
	if err != nil {
		return 0, nil, err
	}
	defer db.Close()
	err = db.QueryRowContext(ctx, `
		SELECT (SELECT count(*) FROM catalog_cards), array_agg(name)
		FROM (
			SELECT name FROM catalog_cards WHERE length(name) <= 60 AND name_key ~ '[a-z]{5}' ORDER BY md5(id) LIMIT $1
		) AS drawn`, searches).Scan(&cards, pq.Array(&names))
	if err == nil && cards < leastCatalogue {
		err = fmt.Errorf("the catalogue has %d cards; %d are needed: is the database seeded?", cards, leastCatalogue)
	}
	return cards, names, err
}

// misspell returns a search for each name: with one typo for the first half of the names, with two for the others.
func misspell(names []string) []search {
	random := rand.New(rand.NewPCG(11, 12))
	all := make([]search, len(names))
	for i, name := range names {
		typo := withTypo(random, name)
		for 2*i >= len(names) {
			if twice := withTypo(random, typo); twice != name {
				typo = twice
				break
			}
		}
		all[i] = search{name, typo}
	}
	return all
}

// withTypo adds, removes or replaces one letter of a name, which must have letters.
func withTypo(random *rand.Rand, name string) string {
	text := []rune(name)
	var letters []int
	for i, r := range text {
		if unicode.IsLetter(r) {
			letters = append(letters, i)
		}
	}
	at, other := letters[random.IntN(len(letters))], 'a'+random.Int32N(26)
	for unicode.ToLower(text[at]) == other {
		other = 'a' + random.Int32N(26)
	}
	switch random.IntN(3) {
	case 0:
		text = slices.Insert(text, at, other)
	case 1:
		text = slices.Delete(text, at, at+1)
	default:
		text[at] = other
	}
	return string(text)
}

// countFound returns how many searches find a card of the name that was misspelled on their page.
func countFound(ctx context.Context, s settings, p *process, all []search) (hits int, err error) {
	for _, one := range all {
		var page struct{ Data []struct{ Title string } }
		if err := fetch(ctx, p, one.target(), s.token, &page); err != nil {
			return 0, err
		}
		if slices.ContainsFunc(page.Data, func(card struct{ Title string }) bool { return card.Title == one.name }) {
			hits++
		}
	}
	return hits, nil
}

// searchRequests returns the requests of all connections: every connection makes all searches, and begins with a
// different one.
func searchRequests(all []search, connections int, token string) (sources []func() []byte) {
	requests := make([][]byte, len(all))
	for i, one := range all {
		requests[i] = request("GET", one.target(), token, "")
	}
	for i := range connections {
		first := i * len(requests) / connections
		sources = append(sources, cycle(slices.Concat(requests[first:], requests[:first])))
	}
	return sources
}
