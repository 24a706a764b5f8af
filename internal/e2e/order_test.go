package e2e

import (
	"net/http"
	"testing"
)

func TestCards_SortAndSummary(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	c.do("POST", "/cards", `{"cards": [
		{"identification": {"title": "Tide Crab"}, "pricing": {"asking_price": {"amount": 300, "currency": "USD"}}},
		{"identification": {"title": "Ember Fox"}, "pricing": {"asking_price": {"amount": 500, "currency": "USD"}}},
		{"identification": {"title": "Glass Heron"}, "sku": "GH-1"}]}`).want(t, http.StatusCreated, nil)
	type list struct {
		Data []struct {
			Identification struct{ Title string }
		}
		NextCursor string `json:"next_cursor"`
	}
	for sort, first := range map[string]string{
		"title": "Ember Fox", "-title": "Tide Crab", "price": "Glass Heron", "-price": "Ember Fox",
		"created_at": "Tide Crab", "-created_at": "Glass Heron",
	} {
		var got list
		c.do("GET", "/cards?limit=1&sort="+sort, nil).want(t, http.StatusOK, &got)
		if len(got.Data) != 1 || got.Data[0].Identification.Title != first {
			t.Errorf("sort=%s begins with %+v, want %s", sort, got.Data, first)
		}
		c.do("GET", "/cards?limit=1&sort=location&cursor="+got.NextCursor, nil).refused(t, "invalid_cursor")
	}
	c.do("GET", "/cards?sort=colour", nil).refused(t, "invalid_request")
	c.do("GET", "/cards?sort=price&updated_since=2026-01-01T00:00:00Z", nil).refused(t, "invalid_request")

	type totals struct {
		Group       string
		Count       int
		AskingPrice []struct {
			Amount   int
			Currency string
		} `json:"asking_price"`
	}
	var summary struct {
		Total totals
		Data  []totals
	}
	c.do("GET", "/cards/summary?group_by=status", nil).want(t, http.StatusOK, &summary)
	if len(summary.Data) != 2 || summary.Data[0].Group != "priced" || summary.Data[0].Count != 2 ||
		summary.Total.Count != 3 || summary.Total.AskingPrice[0].Amount != 800 {
		t.Errorf("the summary is %+v, want 2 priced cards of 3, for $8.00", summary)
	}
	c.do("GET", "/cards/summary?group_by=batch&q=gh-1", nil).want(t, http.StatusOK, &summary)
	if summary.Total.Count != 1 {
		t.Errorf("the summary of a search is %+v, want 1 card", summary)
	}
	c.do("GET", "/cards/summary?group_by=colour", nil).refused(t, "invalid_request")
	c.do("GET", "/cards/summary", nil).refused(t, "invalid_request")
}
