package developers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/paging"
)

// eventFields are the filters of events.
var eventFields = []form.Field{{Name: "event"}, {Name: "card_id"}}

// eventsPage is the data of the page events.
type eventsPage struct {
	list.Shown
	Kinds []events.Kind
	Rows  []shownEvent
}

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

func (h *Handlers) ListEvents(w http.ResponseWriter, r *http.Request) error {
	q := list.NewQuery(r, "", eventFields)
	filter := events.Filter{CardID: format.Text(q.Text("card_id"))}
	if kind := q.Text("event"); kind != nil {
		filter.Kinds = []events.Kind{events.Kind(*kind)}
	}
	read := func(at paging.Request) (paging.Page[json.RawMessage], error) {
		return h.Events.List(r.Context(), web.VisitOf(r).Account.ID, filter, at)
	}
	found, shown, status, err := list.Load(q, rowsPerPage, read)
	if err != nil {
		return err
	}
	p := eventsPage{Shown: shown, Kinds: events.Kinds}
	for _, envelope := range found {
		row, err := parseEvent(envelope)
		if err != nil {
			return err
		}
		p.Rows = append(p.Rows, row)
	}
	return h.Show(w, r, status, "events", "Events", p)
}

func (h *Handlers) ShowEvent(w http.ResponseWriter, r *http.Request) error {
	envelope, err := h.Events.Get(r.Context(), web.VisitOf(r).Account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	row, err := parseEvent(envelope)
	if err != nil {
		return err
	}
	return h.Show(w, r, http.StatusOK, "event", "Event", row)
}

func parseEvent(envelope json.RawMessage) (shownEvent, error) {
	var e shownEvent
	if err := json.Unmarshal(envelope, &e); err != nil {
		return e, fmt.Errorf("dashboard: read an event: %w", err)
	}
	e.Envelope = formatJSON(envelope)
	return e, nil
}
