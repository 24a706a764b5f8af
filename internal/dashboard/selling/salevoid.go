package selling

import (
	"net/http"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/sales"
)

// voidPage is the data of the page salevoid.
type voidPage struct {
	SaleRow
	Failed string // why the sale was not voided
}

// ShowVoid says what voiding the sale will do.
func (h *Handlers) ShowVoid(w http.ResponseWriter, r *http.Request) error {
	sale, err := h.Sales.Get(r.Context(), web.VisitOf(r).Account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	return h.renderVoid(w, r, sale, nil)
}

func (h *Handlers) renderVoid(w http.ResponseWriter, r *http.Request, sale sales.Sale, refused *fault.Error) error {
	p, status := voidPage{SaleRow: SaleRow{sale}}, http.StatusOK
	if refused != nil {
		p.Failed, status = refused.Message, form.Status(refused)
	}
	return h.Show(w, r, status, "salevoid", "Void "+p.Name(), p)
}

// VoidSale voids the sale. Its form names the version of the sale that the page has shown.
func (h *Handlers) VoidSale(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account
	sale, err := h.Sales.Get(r.Context(), account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	match, err := form.Version(r.PostForm)
	if err != nil {
		return err
	}
	_, err = h.Sales.Void(r.Context(), account.ID, sale.ID, match, nil)
	if err == nil {
		web.Redirect(w, r, "/sales/"+sale.ID+"?done=voided")
		return nil
	}
	refused, ok := form.Refused(err)
	if !ok || refused.Code == fault.SaleNotFound {
		return err
	}
	return h.renderVoid(w, r, sale, refused)
}
