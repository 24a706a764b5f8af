package settings

import (
	"net/http"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/quota"
)

// quotaRow is a quota as the settings show it.
type quotaRow struct {
	Things   string
	Used     string
	Limit    string // "" for none
	Percent  int64  // of the limit; 0 without one
	Counting bool
}

// quotaRows returns the quotas of the account.
func (h *Handlers) quotaRows(r *http.Request) ([]quotaRow, error) {
	uses, err := h.Accounts.Quotas(r.Context(), web.VisitOf(r).Account.ID)
	if err != nil {
		return nil, err
	}
	rows := make([]quotaRow, len(uses))
	for i, use := range uses {
		rows[i] = quotaRow{Things: use.Kind.Things(), Used: amountOf(use.Kind, use.Used), Counting: use.Counting}
		if use.Limit > 0 {
			rows[i].Limit, rows[i].Percent = amountOf(use.Kind, use.Limit), use.Used*100/use.Limit
		}
	}
	return rows, nil
}

// amountOf formats an amount of a quota.
func amountOf(kind quota.Kind, n int64) string {
	if kind.InBytes() {
		return format.Bytes(n)
	}
	return format.Number(n)
}
