package e2e

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// checkStatuses compares the cards by status as home shows them, the API sums them up and the events tell them.
func (d *day) checkStatuses() {
	d.t.Helper()
	want := map[string]int{
		"needs_review": 1, "priced": dayPhotos - 1 + dayRows - dayPublished, "listed": dayPublished - dayBought,
		"sold": dayBought,
	}
	row := regexp.MustCompile(`<a href="/cards\?status=(\w+)">.*</a></th><td class="figure">(\d+)</td>`)
	shown := map[string]int{}
	for _, found := range row.FindAllStringSubmatch(d.get("/").body, -1) {
		if count, _ := strconv.Atoi(found[2]); count > 0 {
			shown[found[1]] = count
		}
	}
	var summary struct {
		Data []struct {
			Group string
			Count int
		}
	}
	d.api.do("GET", "/cards/summary?group_by=status", nil).want(d.t, http.StatusOK, &summary)
	summed := map[string]int{}
	for _, group := range summary.Data {
		summed[group.Group] = group.Count
	}
	last, told := map[string]string{}, map[string]int{}
	for _, e := range d.events("card.workflow_status_changed") {
		last[e.Data["card_id"].(string)] = e.Data["status"].(string)
	}
	for _, status := range last {
		told[status]++
	}
	for who, got := range map[string]map[string]int{"home": shown, "the API": summed, "the events": told} {
		if diff := cmp.Diff(want, got); diff != "" {
			d.t.Errorf("cards by status, by %s (-want +got):\n%s", who, diff)
		}
	}
}

// events returns all events of a kind from the API, oldest first.
func (d *day) events(kind string) (all []received) {
	d.t.Helper()
	first := "/events?limit=200&created_since=2020-01-01T00:00:00Z&event=" + kind
	for path := first; ; {
		var found listOf[received]
		d.api.do("GET", path, nil).want(d.t, http.StatusOK, &found)
		all = append(all, found.Data...)
		if !found.HasMore {
			return all
		}
		path = first + "&cursor=" + *found.NextCursor
	}
}

// checkSales compares the sales of the dashboard with those of the API, of the events and of the webhooks.
func (d *day) checkSales(hook *dayHook) {
	d.t.Helper()
	var sales listOf[struct {
		ID        string
		ListingID string `json:"listing_id"`
		Gross     struct{ Amount int64 }
	}]
	d.api.do("GET", "/sales?limit=200", nil).want(d.t, http.StatusOK, &sales)
	var gross int64
	var ids, ofSales, ofEvents, events []string
	for _, sale := range sales.Data {
		ids, ofSales, gross = append(ids, sale.ID), append(ofSales, sale.ListingID), gross+sale.Gross.Amount
	}
	for _, e := range d.events("listing.sold") {
		events, ofEvents = append(events, e.ID), append(ofEvents, e.Data["listing_id"].(string))
	}
	hook.mu.Lock()
	defer hook.mu.Unlock()
	var delivered []string
	for id := range hook.got {
		delivered = append(delivered, id)
	}
	d.same("sales: API and page", ids, d.awaitLinks("/sales", saleLink, dayBought))
	d.same("bought listings and sales", d.bought, ofSales)
	d.same("bought listings and events", d.bought, ofEvents)
	d.same("events and webhooks", events, delivered)
	shown := d.awaitLinks("/developers/events?event=listing.sold", eventLink, dayBought)
	for i := range shown {
		shown[i] = strings.TrimPrefix(shown[i], "/developers/events/")
	}
	d.same("events: API and page", events, shown)
	amount := fmt.Sprintf(`<span class="amount">$%d.%02d<`, gross/100, gross%100)
	d.want(d.get("/"), http.StatusOK, `sold today</span></a> <span class="quiet">`+amount)
}

// same checks that two lists have the same values, in any order.
func (d *day) same(what string, want, got []string) {
	d.t.Helper()
	if diff := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got))); diff != "" {
		d.t.Errorf("%s differ (-first +second):\n%s", what, diff)
	}
}
