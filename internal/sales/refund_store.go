package sales

import (
	"encoding/json"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
)

// storedRefund is an item of the column refunds.
type storedRefund struct {
	Amount int64     `json:"amount"` // paid back to the buyer
	At     time.Time `json:"at"`
	Reason *string   `json:"reason"`
}

// storedParts is an item of the column refund_parts: the parts of the refund in the same place that are not of the
// item. The column can have fewer items than refunds, because versions before migration 0058 only write refunds.
type storedParts struct {
	Shipping int64 `json:"shipping,omitempty"`
	Tax      int64 `json:"tax,omitempty"`
	Fees     int64 `json:"fees,omitempty"`
}

// readRefunds returns the refunds that the columns refunds and refund_parts contain.
func readRefunds(refunds, parts []byte) ([]Refund, error) {
	var rows []storedRefund
	if err := json.Unmarshal(refunds, &rows); err != nil {
		return nil, err
	}
	var apart []storedParts
	if err := json.Unmarshal(parts, &apart); err != nil {
		return nil, err
	}
	list := make([]Refund, len(rows))
	for i, r := range rows {
		list[i] = Refund{Parts{Item: r.Amount}, r.At, r.Reason}
		if i < len(apart) {
			p := apart[i]
			list[i].Parts = Parts{r.Amount - p.Shipping - p.Tax, p.Shipping, p.Tax, p.Fees}
		}
	}
	return list, nil
}

// writeRefunds returns the columns refunds and refund_parts.
func writeRefunds(list []Refund) (refunds, parts postgres.JSON, err error) {
	rows, apart := make([]storedRefund, len(list)), make([]storedParts, len(list))
	for i, r := range list {
		rows[i] = storedRefund{r.Total(), r.At, r.Reason}
		apart[i] = storedParts{r.Shipping, r.Tax, r.Fees}
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return "", "", err
	}
	extra, err := json.Marshal(apart)
	return postgres.JSON(text), postgres.JSON(extra), err
}
