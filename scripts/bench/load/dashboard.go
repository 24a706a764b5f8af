package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// The aims for pages of the dashboard.
const (
	maxPageCost   = 3.0 // processor time of a page, relative to the API's answers with the same data
	maxPageP95    = 60 * time.Millisecond
	maxFirstVisit = 120_000 // bytes transferred, with the files that the page loads
	maxNextVisit  = 30_000
)

// pageRounds is the maximum number of rounds of a page.
const pageRounds = 3

// shownPage is a page of the dashboard, with the requests of an API client for the same data.
type shownPage struct {
	name string
	// draw returns the path of the page and the targets of the API. Each visit has equally many targets.
	draw func(random *rand.Rand) (path string, api []string)
}

// measureDashboard measures pages of the account with 100,000 cards, a browser's downloads for them, and a job that
// changes many prices.
func measureDashboard(ctx context.Context, s settings, t *table) error {
	service, err := startService(ctx, s, "service", s.build)
	if err != nil {
		return err
	}
	defer service.stop()
	stock, err := readStock(ctx, service, s.token)
	if err != nil {
		return err
	}
	cookie, err := logIn(ctx, s, service)
	if err != nil {
		return err
	}
	pages := shownPages(stock, time.Now())
	if err := measureVisits(ctx, service, pages, cookie, t); err != nil {
		return err
	}
	s.rounds = min(s.rounds, pageRounds)
	for _, p := range pages {
		page, answers, each := p.operations(s, cookie)
		samples, err := compare(ctx, s, entrant{service, page}, entrant{service, answers})
		if err != nil {
			return err
		}
		t.addPage(p.name, samples[0], samples[1], each)
	}
	return measureJob(ctx, s, service, stock, t)
}

// shownPages are the pages that are measured. A page of cards shows the cards and the sums of all that match.
func shownPages(s *stock, now time.Time) []shownPage {
	const list, sum = "/cards?limit=50", "/cards/summary?group_by=status"
	cards := func(query string) (string, []string) {
		return "/cards?" + query, []string{list + "&" + query, sum + "&" + query}
	}
	report := func(groupBy string, days int) string {
		since := now.UTC().AddDate(0, 0, -days).Format(time.DateOnly) + "T00:00:00Z"
		return "/reports/sales?group_by=" + groupBy + "&since=" + since
	}
	_, deep, _ := strings.Cut(s.created[deepPage-1], "cursor=")
	return []shownPage{
		{"home", func(*rand.Rand) (string, []string) {
			return "/", []string{
				sum, "/reports/stock", report("day", 0), report("week", 83), "/sales?limit=5",
				"/batches?limit=3&status=open", "/listings?limit=20&status=failed",
			}
		}},
		{"50 cards by a filter", func(random *rand.Rand) (string, []string) {
			targets := listTargets(s)
			_, query, _ := strings.Cut(targets[random.IntN(len(targets))], list+"&")
			return cards(query)
		}},
		{fmt.Sprintf("page %d of the cards", deepPage), func(*rand.Rand) (string, []string) {
			return "/cards?cursor=" + deep, []string{list + "&cursor=" + deep, sum}
		}},
		{"a search by two words of a title", func(random *rand.Rand) (string, []string) {
			return cards("q=" + url.QueryEscape(twoWords(s.titles[random.IntN(len(s.titles))])))
		}},
		{"the review", func(*rand.Rand) (string, []string) { // the card, the photo of the next one, the candidates
			return "/review", []string{
				"/cards?limit=2&sort=created_at&status=needs_review", "/cards/" + s.cards[0] + "/candidates",
			}
		}},
	}
}

// operations returns the visits of a page and the requests of the API, each drawn from the same seed, and how many
// requests there are for a visit.
func (p shownPage) operations(s settings, cookie string) (page, answers operation, each int) {
	random := rand.New(rand.NewPCG(9, 10))
	page, answers = operation{name: "page: " + p.name}, operation{name: "API: " + p.name}
	for range s.connections {
		var visits, requests [][]byte
		for range requestsPerConnection {
			path, api := p.draw(random)
			visits = append(visits, visit(path, cookie))
			for _, target := range api {
				requests = append(requests, request("GET", target, s.token, ""))
			}
			each = len(api)
		}
		page.next, answers.next = append(page.next, cycle(visits)), append(answers.next, cycle(requests))
	}
	return page, answers, each
}

// addPage adds the rows of a page. The API has each requests for a visit.
func (t *table) addPage(name string, page, answers sample, each int) {
	p95 := measure.Percentile(page.took, 0.95)
	t.add("GET the page: "+name+": p95", measure.Milliseconds(p95), "", "", "≤ "+measure.Milliseconds(maxPageP95),
		p95 <= maxPageP95)
	t.note("GET the page: "+name+": rate; "+spreadNames, page.rate()+"; "+page.spread(), "", "")
	answers.program, answers.database = answers.program*time.Duration(each), answers.database*time.Duration(each)
	ratio := page.total() / answers.total()
	t.add(fmt.Sprintf("GET the page: %s: processor time, against %d requests of the API", name, each),
		cost(page), cost(answers), times(ratio), "≤ "+times(maxPageCost), ratio <= maxPageCost)
}
