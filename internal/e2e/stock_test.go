package e2e

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestReports_Stock checks that the report has the recorded days of the account and the figures of now.
func TestReports_Stock(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, other := s.client(t, false), s.client(t, false)
	// It is about noon there, so that no day ends during the test. The zones are named by what they are behind UTC.
	behind := time.Now().UTC().Hour() - 12
	zone := fmt.Sprintf("Etc/GMT%+d", behind)
	date := func(ago int) string {
		return time.Now().UTC().Add(-time.Duration(behind)*time.Hour).AddDate(0, 0, -ago).Format(time.DateOnly)
	}
	c.do("PATCH", "/account", `{"time_zone":"`+zone+`"}`).want(t, http.StatusOK, nil)
	for _, prices := range []string{
		`{"asking_price":{"amount":500,"currency":"USD"},"cost":{"amount":90,"currency":"JPY"}}`,
		`{"asking_price":{"amount":250,"currency":"USD"}}`,
	} {
		c.create(`{"identification":{"title":"Ember Fox"},"pricing":` + prices + `}`)
	}
	sold := c.create(`{"identification":{"title":"Crab"},"pricing":{"asking_price":{"amount":7,"currency":"USD"}}}`)
	c.do("POST", "/cards/"+sold.ID+"/sell", `{"channel":"in_person","price":{"amount":7,"currency":"USD"}}`).
		want(t, http.StatusCreated, nil)
	for account, days := range map[string][]int{c.account: {83, 84}, other.account: {1}} {
		for _, ago := range days {
			s.recordStock(t, account, date(ago), ago)
		}
	}

	type value struct {
		Currency    string
		Count       int
		AskingPrice int `json:"asking_price"`
		Cost        int
	}
	type day struct {
		Date   string
		Count  int
		Values []value
	}
	type report struct {
		Days     int
		TimeZone string `json:"time_zone"`
		Data     []day
	}
	now := day{date(0), 2, []value{{"JPY", 1, 0, 90}, {"USD", 2, 750, 0}}}
	before := func(ago int) day { return day{date(ago), 9, []value{{"USD", 4, ago, 1}}} }
	for query, want := range map[string]report{
		"":          {84, zone, []day{before(83), now}},
		"?days=85":  {85, zone, []day{before(84), before(83), now}},
		"?days=1":   {1, zone, []day{now}},
		"?days=731": {731, zone, []day{before(84), before(83), now}},
	} {
		var got report
		c.do("GET", "/reports/stock"+query, nil).want(t, http.StatusOK, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}
	for _, days := range []string{"0", "732", "many"} {
		c.do("GET", "/reports/stock?days="+days, nil).refused(t, "invalid_request")
	}
}

// recordStock records a day of an account: 9 cards, 4 of them with asking prices of this sum.
func (s *service) recordStock(t testing.TB, account, date string, asking int) {
	t.Helper()
	_, err := s.DB.Exec(t.Context(), `
		INSERT INTO stock_values (account_id, day, currency, cards, asking, cost, change)
		VALUES ($1, $2, '', 9, 0, 0, 0), ($1, $2, 'USD', 4, $3, 1, 0)`, account, date, asking)
	if err != nil {
		t.Fatal(err)
	}
}
