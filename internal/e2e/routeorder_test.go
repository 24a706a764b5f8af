package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/users"
)

// routes makes the same change of cards by one route after the other.
type routes struct {
	*client
	browser  *browser
	price    int               // of the next change, in cents
	external map[string]string // the external ids of the cards
}

// changeRoute changes cards. fields are members of CardPatch.
type changeRoute func(r *routes, ids []string, fields string)

// changeRoutes are the routes that change the fields of cards.
var changeRoutes = map[string]changeRoute{
	"PATCH /cards/{id}": func(r *routes, ids []string, fields string) {
		for _, id := range ids {
			r.do("PATCH", "/cards/"+id, `{`+fields+`}`).want(r.t, http.StatusOK, nil)
		}
	},
	"PATCH /cards": func(r *routes, ids []string, fields string) {
		r.do("PATCH", "/cards", `{"atomic":true,"updates":[`+eachOf(ids, `{"id":"%s",`+fields+`}`)+`]}`).
			want(r.t, http.StatusOK, nil)
	},
	"POST /cards": func(r *routes, ids []string, fields string) {
		external := make([]string, len(ids))
		for i, id := range ids {
			external[i] = r.external[id]
		}
		r.do("POST", "/cards", `{"on_conflict":"update","cards":[`+
			eachOf(external, `{"external_id":"%s",`+fields+`}`)+`]}`).want(r.t, http.StatusCreated, nil)
	},
	"POST /jobs": func(r *routes, ids []string, fields string) {
		r.run(`{"kind":"update","card_ids":["` + strings.Join(ids, `","`) + `"],"patch":{` + fields + `}}`)
	},
	"CSV file": func(r *routes, ids []string, fields string) {
		title, notes := "", ""
		if strings.Contains(fields, "Ember Fox") {
			title, notes = "Ember Fox", "near mint"
		}
		content := "card_id,title,notes,asking_price,asking_price_currency\n"
		for _, id := range ids {
			content += fmt.Sprintf("%s,%s,%s,%d.00,USD\n", id, title, notes, r.price/100)
		}
		r.browser.wantRedirect(r.browser.uploadCSV("cards.csv", content), "/import/csv")
		form := r.browser.get("/import/csv").hidden()
		r.browser.wantRedirect(r.browser.post("/import/csv/accept", form[:2]...), "/import/csv")
	},
	"page of the card": func(r *routes, ids []string, fields string) {
		for _, id := range ids {
			path := "/cards/" + id
			form := []string{
				"version", versionOf(r.t, r.browser.get(path)),
				"asking_price", fmt.Sprintf("%d.00", r.price/100), "asking_currency", "USD",
			}
			if strings.Contains(fields, "Ember Fox") {
				form = append(form, "title", "Ember Fox", "notes", "near mint")
			}
			if got := r.browser.post(path, form...); got.StatusCode != http.StatusSeeOther {
				r.t.Fatalf("the form of the page: got %d\n%s", got.StatusCode, got.body)
			}
		}
	},
}

// eachOf returns the items of a list in JSON, one for each identifier.
func eachOf(ids []string, format string) string {
	items := make([]string, len(ids))
	for i, id := range ids {
		items[i] = fmt.Sprintf(format, id)
	}
	return strings.Join(items, ",")
}

// TestCards_EveryRouteOrdersEventsAlike makes the same changes by every route. Events, history and the cards' versions
// do not depend on the route.
func TestCards_EveryRouteOrdersEventsAlike(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, true)
	c.endpoint(events.Kinds...)
	b := s.browser(t, c.account, users.Owner)
	for name, change := range changeRoutes {
		t.Run(name, func(t *testing.T) {
			r := &routes{client: c.in(t), browser: b, price: 500, external: map[string]string{}}
			r.identifiesAndPrices(change)
			r.repricesListed(change)
		})
	}
}

// identifiesAndPrices gives two cards a title and a price in one change of each.
func (r *routes) identifiesAndPrices(change changeRoute) {
	r.t.Helper()
	ids := []string{r.named(`"identify":false`), r.named(`"identify":false`)}
	change(r, ids, `"identification":{"title":"Ember Fox"},"notes":"near mint",`+
		`"pricing":{"asking_price":{"amount":500,"currency":"USD"}}`)
	fields := "workflow_status identification.title identification.status identification.source " +
		"identification.identified_at pricing.asking_price pricing.priced_at notes"
	var want []string
	for i := range ids {
		for _, event := range []string{
			"card.identified", "card.priced", "imported>identified", "identified>priced", "card.updated " + fields,
		} {
			want = append(want, fmt.Sprintf("%d %s", i, event))
		}
		history := []string{"1 ", "2 " + fields}
		if diff := cmp.Diff(history, r.versions(ids[i])); diff != "" {
			r.t.Errorf("history of card %d (-want +got):\n%s", i, diff)
		}
	}
	if diff := cmp.Diff(want, r.happened(ids...)); diff != "" {
		r.t.Errorf("events of cards that are identified and priced (-want +got):\n%s", diff)
	}
}

// repricesListed changes the price of a card with a live listing.
func (r *routes) repricesListed(change changeRoute) {
	r.t.Helper()
	card := r.named(`"identification":{"title":"Jade Owl"},"pricing":{"asking_price":{"amount":450,"currency":"USD"}}`)
	r.do("PUT", "/cards/"+card+"/photos/front", blank(r.t), "Content-Type: image/jpeg").want(r.t, http.StatusOK, nil)
	r.do("POST", "/listings/"+card+"/publish", nil).want(r.t, http.StatusAccepted, nil)
	eventually(r.t, "the listing is live", func() bool { return r.get(card).WorkflowStatus == "listed" })
	before := len(r.happened(card))
	r.price = 700
	change(r, []string{card}, `"pricing":{"asking_price":{"amount":700,"currency":"USD"}}`)
	want := []string{"0 listing.updated", "0 card.updated pricing.asking_price pricing.priced_at"}
	got := r.happened(card)[before:]
	if diff := cmp.Diff(want, got[:min(len(want), len(got))]); diff != "" { // the revision follows
		r.t.Errorf("events of a listed card with a new price (-want +got):\n%s", diff)
	}
}

// named creates a card with an external id and these members of CardInput.
func (r *routes) named(members string) string {
	r.t.Helper()
	external := fmt.Sprintf("%s-%d", r.t.Name(), len(r.external))
	card := r.create(`{"external_id":"` + external + `",` + members + `}`)
	r.external[card.ID] = external
	return card.ID
}

// happened returns the events of the cards in their order, each with the index of its card.
func (c *client) happened(ids ...string) (list []string) {
	c.t.Helper()
	for _, e := range c.allEvents() {
		cardID, _ := e.Data["card_id"].(string)
		at := slices.Index(ids, cardID)
		if at < 0 {
			continue
		}
		text := e.Event
		switch events.Kind(e.Event) {
		case events.KindCardWorkflowStatusChanged:
			text = fmt.Sprintf("%s>%s", e.Data["previous_status"], e.Data["status"])
		case events.KindCardUpdated:
			text += " " + strings.Trim(fmt.Sprint(e.Data["changed"]), "[]")
		}
		list = append(list, fmt.Sprintf("%d %s", at, text))
	}
	return list
}

// versions returns the history of a card, oldest first: each version with the fields that changed.
func (c *client) versions(id string) (list []string) {
	c.t.Helper()
	var history listOf[historyEntry]
	c.do("GET", "/cards/"+id+"/history", nil).want(c.t, http.StatusOK, &history)
	for _, entry := range slices.Backward(history.Data) {
		fields := make([]string, len(entry.Changes))
		for i, change := range entry.Changes {
			fields[i] = change.Field
		}
		list = append(list, fmt.Sprintf("%d %s", entry.Version, strings.Join(fields, " ")))
	}
	return list
}

// TestCards_RoutesBeyondChanges pins the order of events of the routes that do more than change fields: a new card, a
// card whose change is undone, one that comes back after a deletion, and one whose sale is refunded.
func TestCards_RoutesBeyondChanges(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, true)
	c.endpoint(events.Kinds...)
	price := `"pricing":{"asking_price":{"amount":450,"currency":"USD"}}`
	card := c.create(`{"identification":{"title":"Ember Fox"},` + price + `}`).ID
	one := `"card_ids":["` + card + `"]`
	happened := 0
	next := func(step string, want ...string) {
		t.Helper()
		got := c.happened(card)
		if diff := cmp.Diff(want, got[happened:]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step, diff)
		}
		happened = len(got)
	}
	next("create", "0 card.identified", "0 card.priced", "0 imported>identified", "0 identified>priced")

	job, _ := c.run(`{"kind":"update",` + one + `,"patch":{"notes":"near mint","pricing":{"asking_price":null}}}`)
	next("job", "0 priced>identified", "0 card.updated workflow_status pricing.asking_price pricing.priced_at notes")
	c.undo(job.ID)
	next("undo", "0 identified>priced", "0 card.updated workflow_status pricing.asking_price pricing.priced_at notes")

	job, _ = c.run(`{"kind":"delete",` + one + `}`)
	next("delete", "0 card.deleted")
	c.undo(job.ID)
	next("restore", "0 card.restored")

	var sold sale
	c.do("POST", "/cards/"+card+"/sell", `{"channel":"in_person","price":{"amount":700,"currency":"USD"}}`).
		want(t, http.StatusCreated, &sold)
	next("sell", "0 sale.created", "0 priced>sold", "0 card.updated workflow_status sale_id")
	c.do("POST", "/sales/"+sold.ID+"/refund", `{"restock":true}`).want(t, http.StatusOK, nil)
	next("refund", "0 sale.refunded", "0 sold>priced", "0 card.updated workflow_status sale_id")
	want := []string{
		"1 ", "2 workflow_status pricing.asking_price pricing.priced_at notes",
		"3 workflow_status pricing.asking_price pricing.priced_at notes", "4 ",
		"5 workflow_status sale_id", "6 workflow_status sale_id",
	}
	if diff := cmp.Diff(want, c.versions(card)); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
}
