package e2e

import (
	"net/http"
	"net/url"
	"testing"
)

// Every form of a time that RFC 3339 allows is accepted: in queries and bodies.
func TestTimes_EveryFormOfRFC3339(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, true)
	c.create(`{"identification":{"title":"Ember Fox"}}`)
	for _, text := range []string{
		"2026-05-11t15:32:01z", "2026-05-11T15:32:01z", "2026-05-11t17:32:01.5+02:00", "2016-12-31T23:59:60Z",
		"2016-12-31t23:59:60.25z",
	} {
		value := url.QueryEscape(text)
		for _, path := range []string{
			"/cards?updated_since=", "/batches?updated_since=", "/events?created_since=", "/sales?sold_since=",
			"/cards?limit=1&updated_since=",
		} {
			c.do(http.MethodGet, path+value, nil).want(t, http.StatusOK, nil)
		}
		sold := c.create(`{"identification":{"title":"Owl"}}`)
		c.do(http.MethodPost, "/cards/"+sold.ID+"/sell",
			`{"channel":"in_person","price":{"amount":500,"currency":"USD"},"sold_at":"`+text+`"}`).
			want(t, http.StatusCreated, nil)
	}
	c.do(http.MethodGet, "/reports/sales?group_by=day&since=2026-05-01t00:00:00z&before=2026-06-30t23:59:60z", nil).
		want(t, http.StatusOK, nil)
	for _, text := range []string{"2026-05-11T15:32:60Z", "2026-05-11", "2026-05-11t15:32:01"} {
		c.do(http.MethodGet, "/cards?updated_since="+text, nil).refused(t, "invalid_request")
	}
}
