package selling

import (
	"encoding/json"
	"net/http"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/sales"
)

const (
	pullSheetPath = "/listings/pull-sheet"
	// keyShipment is the key of the session's shipment, as JSON.
	keyShipment = "shipment"
)

// shipment is the last shipment that the user marked on the pull sheet. Its size is bounded by sales.MaxShipped.
type shipment struct {
	Account string
	sales.Shipment
}

// keepShipment stores in the session which marks can be undone.
func (h *Handlers) keepShipment(r *http.Request, made sales.Shipment) error {
	text, err := json.Marshal(shipment{web.VisitOf(r).Account.ID, made})
	if err != nil {
		return err
	}
	h.Sessions.Put(r.Context(), keyShipment, string(text))
	return nil
}

// shipment returns the last shipment of the account. It has no sales if there is none.
func (h *Handlers) shipment(r *http.Request) sales.Shipment {
	var s shipment
	err := json.Unmarshal([]byte(h.Sessions.GetString(r.Context(), keyShipment)), &s)
	if err != nil || s.Account != web.VisitOf(r).Account.ID {
		return sales.Shipment{}
	}
	return s.Shipment
}

// pullNotice returns what the pull sheet tells after a form, and whether that can be undone.
func (h *Handlers) pullNotice(r *http.Request) (text string, undo bool) {
	switch r.URL.Query().Get("done") {
	case "shipped":
		if n := len(h.shipment(r).SaleIDs); n > 0 {
			return "Marked " + format.Cards(int64(n)) + " as shipped.", true
		}
	case "undone":
		return "The cards are to be shipped again.", false
	}
	return "", false
}

// UndoShipped takes the marks of the last shipment back.
func (h *Handlers) UndoShipped(w http.ResponseWriter, r *http.Request) error {
	undone, err := h.Sales.UndoShipped(r.Context(), web.VisitOf(r).Account.ID, h.shipment(r))
	if err != nil {
		return err
	}
	h.Sessions.Remove(r.Context(), keyShipment)
	if undone == 0 {
		return h.renderPullSheet(w, r, fault.New(fault.InvalidRequest, "There are no marks left to undo."))
	}
	web.Redirect(w, r, pullSheetPath+"?done=undone")
	return nil
}
