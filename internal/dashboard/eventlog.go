package dashboard

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/page"
)

const eventsPath = "/developers/events"

// eventsPage is the data of the page events.
type eventsPage struct {
	Event, CardID string // the filters
	Kinds         []events.Kind
	Rows          []shownEvent
	Failed        string // why the filters cannot be applied; "" if they can
	CardError     string // what is wrong with the filter by card
	pager
}

// Filtered reports whether the address of the page sets a filter.
func (p eventsPage) Filtered() bool { return p.Event+p.CardID != "" }

// shownEvent is an event with its envelope as formatted JSON.
type shownEvent struct {
	ID        string      `json:"id"`
	Event     events.Kind `json:"event"`
	CreatedAt time.Time   `json:"created_at"`
	Data      struct {
		CardID string `json:"card_id"`
		Title  string `json:"title"`
	} `json:"data"`
	Envelope string `json:"-"`
}

func (d *Dashboard) listEvents(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	p := eventsPage{Event: query.Get("event"), CardID: typed(query, "card_id"), Kinds: events.Kinds}
	filter := events.Filter{CardID: p.CardID}
	if p.Event != "" {
		filter.Kinds = []events.Kind{events.Kind(p.Event)}
	}
	request := page.Request{Limit: rowsPerPage, Cursor: query.Get("cursor")}
	found, err := d.Events.List(r.Context(), visitOf(r).Account.ID, filter, request)
	status := http.StatusOK
	if f, invalid := asInvalid(err); invalid {
		p.Failed, p.CardError, status, err = f.Message, about(f, "card_id"), f.Status(), nil
		if p.CardError != "" {
			p.Failed = markedFilter
		}
	}
	if err != nil {
		return err
	}
	for _, envelope := range found.Data {
		row, err := parseEvent(envelope)
		if err != nil {
			return err
		}
		p.Rows = append(p.Rows, row)
	}
	p.pager = newPager(eventsPath, query, found.NextCursor, "event", "card_id")
	return d.show(w, r, status, "events", "Events", p)
}

// about returns what an error says about a field, or "".
func about(f *fault.Error, field string) string {
	for _, detail := range f.Details {
		if detail.Field == field {
			return detail.Message
		}
	}
	return ""
}

func (d *Dashboard) showEvent(w http.ResponseWriter, r *http.Request) error {
	envelope, err := d.Events.Get(r.Context(), visitOf(r).Account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	row, err := parseEvent(envelope)
	if err != nil {
		return err
	}
	return d.show(w, r, http.StatusOK, "event", "Event", row)
}

func parseEvent(envelope json.RawMessage) (shownEvent, error) {
	var e shownEvent
	if err := json.Unmarshal(envelope, &e); err != nil {
		return e, fmt.Errorf("dashboard: read an event: %w", err)
	}
	e.Envelope = formatJSON(envelope)
	return e, nil
}
