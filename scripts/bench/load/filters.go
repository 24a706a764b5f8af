package main

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"net/url"
	"os"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/scripts/bench/measure"
)

const (
	// largeName is the account with the most cards; scripts/bench/seed makes it.
	largeName = "Benchmark filler"
	// maxPage is the aim for one page of any combination of filters on it, alone on the machine.
	maxPage = 500 * time.Millisecond
	// filtersAtOnce is how many filters are combined with each of their values; of more, the values take turns.
	filtersAtOnce = 3
	// walkFor bounds the walk on a machine or a build on which many pages are slow.
	walkFor = 5 * time.Minute
	// suspicious pages are asked for again: the median of several counts.
	suspicious = 50 * time.Millisecond
)

// filters are the conditions of GET /cards with their values.
var filters = func() (list []walked) {
	for _, f := range cards.FilterFields {
		values := walkValues[f.Name]
		if values == nil {
			values = []string{"none"}
		}
		list = append(list, walked{f.Name, values})
	}
	return list
}()

// walked is a condition with the values that the walk combines with the other conditions.
type walked struct {
	name   string
	values []string
}

// walkValues are values for the parameters of GET /cards: frequent, rare and absent ones. Without an entry here, a
// parameter gets an absent value.
var walkValues = map[string][]string{
	"status":         {"priced", "needs_review", "sold"},
	"batch":          {"bat_01k5w0q2m7t9c3r5v8x0z1b4d6"},
	"location":       {"Room A", "Room C/Shelf 20", "Nowhere"},
	"set":            {"Ancient Tides", "No such set"},
	"game":           {"pokemon", "other"},
	"number":         {"1/60", "999/999"},
	"condition":      {"NM", "DMG"},
	"identification": {"identified", "failed"},
	"ids":            {"card_01k5w0q2m7t9c3r5v8x0z1b4d6"},
	"language":       {"en"},
	"grade":          {"none"},
	"has_photo":      {"true"},
	"currency":       {"EUR"},
	"min_price":      {"1", "20000", "99999999"},
	"max_price":      {"24", "1000"},
	"sku":            {"SKU-00001-000", "none"},
	"q":              {"dragon", "ar", "zzzq"},
	"updated_since":  {"2000-01-01T00:00:00Z", "2100-01-01T00:00:00Z"},
}

// page is a page of a list and how long it took.
type page struct {
	target string
	took   time.Duration
	err    error // the last answer, if it was not 200
}

// measureFilters asks the account with the most cards for the first page of every combination of filters, one after the
// other, and names the slowest.
func measureFilters(ctx context.Context, s settings, t *table) error {
	token, err := largeAccount(ctx, s)
	if err != nil {
		return err
	}
	service, err := startService(ctx, s, "service", s.build)
	if err != nil {
		return err
	}
	defer service.stop()
	all, until := combinations(), time.Now().Add(walkFor)
	var pages []page
	for _, target := range all {
		if time.Now().After(until) {
			break
		}
		one, err := readPage(ctx, service, target, token)
		if err != nil {
			return err
		}
		pages = append(pages, one)
	}
	slices.SortFunc(pages, func(a, b page) int { return cmp.Compare(b.took, a.took) })
	for _, one := range pages[:min(10, len(pages))] {
		fmt.Fprintf(os.Stderr, "bench: filters: %s %s %v\n", measure.Milliseconds(one.took), one.target, one.err)
	}
	t.addPages(pages, len(all))
	return nil
}

// addPages adds the slowest page and how many combinations of filters were read.
func (t *table) addPages(pages []page, combinations int) {
	slowest := pages[0]
	refusals := 0
	for _, one := range pages {
		if one.err != nil {
			refusals++
		}
	}
	name := fmt.Sprintf("Pages by %d of %d combinations of filters on 900,000 cards, the slowest: `%s`",
		len(pages), combinations, slowest.target)
	t.add(name, measure.Milliseconds(slowest.took), "", "", "≤ "+measure.Milliseconds(maxPage),
		slowest.took <= maxPage && len(pages) == combinations)
	t.add("The same: pages that were not answered", fmt.Sprint(refusals), "", "", "0", refusals == 0)
}

// readPage requests a page, several times if it is slow, to exclude other load on the machine.
func readPage(ctx context.Context, service *process, target, token string) (page, error) {
	c, err := dial(ctx, service.addr)
	if err != nil {
		return page{}, err
	}
	defer c.Close()
	var took []time.Duration
	for len(took) == 0 || took[0] > suspicious && len(took) < 3 {
		if err := c.timed(request("GET", target, token, ""), &took); err != nil {
			return page{target, took[0], err}, ctx.Err()
		}
	}
	return page{target, measure.Percentile(took, 0.5), nil}, nil
}

// manySets is the maximum number of sets of more than filtersAtOnce filters.
const manySets = 1 << 12

// combinations are lists by one to three filters with each of their values, and by manySets sets of any size.
func combinations() (targets []string) {
	for i := range min(1<<len(filters), manySets) {
		set := i * 0x9E3779B1 & (1<<len(filters) - 1) // an odd factor: each set at most once
		if bits.OnesCount(uint(set)) > filtersAtOnce {
			targets = append(targets, "/cards?"+oneOfEach(set).Encode())
		}
	}
	var add func(from, left int, query url.Values)
	add = func(from, left int, query url.Values) {
		if len(query) > 0 {
			targets = append(targets, "/cards?"+query.Encode())
		}
		for i := from; i < len(filters) && left > 0; i++ {
			for _, value := range filters[i].values {
				query.Set(filters[i].name, value)
				add(i+1, left-1, query)
			}
			query.Del(filters[i].name)
		}
	}
	add(0, filtersAtOnce, url.Values{})
	return targets
}

// oneOfEach gives a value to each filter of a set of bits.
func oneOfEach(set int) url.Values {
	query := url.Values{}
	for i, f := range filters {
		if set&(1<<i) != 0 {
			query.Set(f.name, f.values[(set>>3+i)%len(f.values)])
		}
	}
	return query
}

// largeAccount returns a token of the account with the most cards.
func largeAccount(ctx context.Context, s settings) (token string, err error) {
	var all struct{ Data []struct{ ID, Name string } }
	if err := printed(ctx, s, s.build, &all, "account", "list"); err != nil {
		return "", err
	}
	for _, a := range all.Data {
		if a.Name == largeName {
			return newToken(ctx, s, s.build, a.ID, "--limits", unlimited)
		}
	}
	return "", fmt.Errorf("there is no account named %q: is the database seeded?", largeName)
}
