package developers

import (
	"net/http"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/calendar"
	"github.com/cardvault/cardvault/internal/dashboard/chart"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/usage"
)

// The sizes of the chart of requests, in units of its view box.
const (
	hourStep  = 4
	hourWidth = 3
	// leastHeight makes a few refused requests among thousands visible.
	leastHeight = 2
)

// usageHistory shows how many requests programs sent in the last 7 days, as bars and as tables.
type usageHistory struct {
	Token    string // the name of the token whose requests are shown; "" for all
	TimeZone string
	Width    int
	Most     int64 // requests in an hour
	Bars     []hourBar
	Midnight []int // where days begin
	Days     []usageRow
	Hours    []usageRow // that have requests
	Tokens   []usageRow
}

// hourBar is the bar of an hour: the refused requests stand on the others.
type hourBar struct {
	X                                                int
	AllowedY, AllowedHeight, RefusedY, RefusedHeight float64
}

// usageRow is a row of a table.
type usageRow struct {
	Label   string
	Address string // of the requests of the token
	usage.Classes
}

// Refused returns the refused requests of all classes.
func (r usageRow) Refused() int64 { return r.Total().Refused }

// usageHistory returns the requests of the account, or of the token that the address of the page names. names has the
// names of the account's tokens.
func (h *Handlers) usageHistory(r *http.Request, names map[string]string) (usageHistory, error) {
	account, token := web.VisitOf(r).Account, accounts.Token{}
	var err error
	if chosen := r.URL.Query().Get("token"); chosen != "" {
		if token, err = h.Accounts.Token(r.Context(), account.ID, chosen); err != nil {
			return usageHistory{}, err
		}
	}
	report, err := h.Usage.Report(r.Context(), account.ID, token.ID, usage.MaxHours)
	if err != nil {
		return usageHistory{}, err
	}
	history := newUsageHistory(report.Hours, calendar.Zone(account.TimeZone))
	history.Token = token.Name
	for _, token := range report.Tokens {
		address := "/developers/tokens?token=" + token.ID + "#history"
		history.Tokens = append(history.Tokens, usageRow{names[token.ID], address, token.Classes})
	}
	return history, nil
}

// newUsageHistory returns the chart of some hours and the tables by day and by hour.
func newUsageHistory(hours []usage.Hour, zone *time.Location) usageHistory {
	h := usageHistory{TimeZone: zone.String(), Width: hourStep * len(hours)}
	for _, hour := range hours {
		h.Most = max(h.Most, hour.Total().Requests)
	}
	for i, hour := range hours {
		start := hour.Start.In(zone)
		if total := hour.Total(); total.Requests > 0 {
			h.Bars = append(h.Bars, newHourBar(i*hourStep, total, h.Most))
			label := start.Format("Mon 2 Jan, 15:04")
			h.Hours = append(h.Hours, usageRow{Label: label, Classes: hour.Classes})
		}
		day := start.Format("Mon 2 Jan")
		if len(h.Days) == 0 || h.Days[len(h.Days)-1].Label != day {
			h.Days = append(h.Days, usageRow{Label: day})
			h.Midnight = append(h.Midnight, i*hourStep)
		}
		h.Days[len(h.Days)-1].Add(hour.Classes)
	}
	h.Midnight = h.Midnight[min(1, len(h.Midnight)):] // the chart begins within the first day
	slices.Reverse(h.Days)                            // the tables begin with the latest
	slices.Reverse(h.Hours)
	return h
}

// newHourBar returns the bar of an hour. most is the height of the chart in requests.
func newHourBar(x int, total usage.Counts, most int64) hourBar {
	scale := chart.Height / float64(most)
	b := hourBar{X: x}
	if total.Refused > 0 {
		b.RefusedHeight = max(float64(total.Refused)*scale, leastHeight)
	}
	height := max(float64(total.Requests)*scale, leastHeight)
	b.AllowedHeight = max(height-b.RefusedHeight, 0)
	b.AllowedY = chart.Height - b.AllowedHeight
	b.RefusedY = b.AllowedY - b.RefusedHeight
	return b
}
