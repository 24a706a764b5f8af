package dashboard

import (
	"net/http"
	"strconv"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/sales"
)

// voidPage is the data of the page salevoid.
type voidPage struct {
	saleRow
	Failed string // why the sale was not voided
}

// showVoid says what voiding the sale will do.
func (d *Dashboard) showVoid(w http.ResponseWriter, r *http.Request) error {
	sale, err := d.Sales.Get(r.Context(), visitOf(r).Account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	return d.renderVoid(w, r, sale, nil)
}

func (d *Dashboard) renderVoid(w http.ResponseWriter, r *http.Request, sale sales.Sale, refused *fault.Error) error {
	p, status := voidPage{saleRow: saleRow{sale}}, http.StatusOK
	if refused != nil {
		p.Failed, status = refused.Message, formStatus(refused)
	}
	return d.show(w, r, status, "salevoid", "Void "+p.Name(), p)
}

// voidSale voids the sale. Its form names the version of the sale that the page has shown.
func (d *Dashboard) voidSale(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	account := visitOf(r).Account
	sale, err := d.Sales.Get(r.Context(), account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	version, err := strconv.ParseInt(r.PostForm.Get("version"), 10, 64)
	if err != nil {
		return errFormIncomplete
	}
	_, err = d.Sales.Void(r.Context(), account.ID, sale.ID, func(v int64) bool { return v == version }, nil)
	if err == nil {
		redirect(w, r, "/sales/"+sale.ID+"?done=voided")
		return nil
	}
	f, ok := fault.As(err)
	if !ok || f.Status() >= http.StatusInternalServerError || f.Code == fault.SaleNotFound {
		return err
	}
	return d.renderVoid(w, r, sale, f)
}
