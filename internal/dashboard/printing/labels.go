package printing

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"rsc.io/qr"

	"github.com/cardvault/cardvault/internal/dashboard/selling"
	"github.com/cardvault/cardvault/internal/fault"
)

// labelSheet is a kind of sheet that labels are printed on. Its measures are in the file Style and in dashboard.css.
type labelSheet struct {
	Name, Label string
	Each        int    // labels of a sheet
	Style       string // the file with the size of the printed page
}

// labelSheets are in the order in which they are offered.
var labelSheets = []labelSheet{
	{"a4", "A4, 3 × 8 labels of 70 × 37 mm", 24, "sheet-a4.css"},
	{"letter", "Letter, 3 × 10 labels of 2.625 × 1 in (Avery 5160)", 30, "sheet-letter.css"},
	{"roll", "Roll, labels of 62 × 29 mm", 1, "sheet-roll.css"},
}

// labelsPage is the data of the page labels.
type labelsPage struct {
	toPrint
	Sheet      labelSheet
	Sheets     []labelSheet
	SheetError string
	Start      string // the first label of the first sheet that is printed, from 1
	StartError string
	Pages      [][]label
}

// label is what is printed on a label. The zero value is a label that was used before.
type label struct {
	selling.Pulled
	Code qrCode
}

// Next returns the address of the labels that follow, or "". They begin where these end.
func (p labelsPage) Next() string {
	if p.next == "" {
		return ""
	}
	used := 0
	if len(p.Pages) > 0 {
		used = len(p.Pages[len(p.Pages)-1])
	}
	return p.address("cursor", p.next, "start", strconv.Itoa(used%p.Sheet.Each+1))
}

// PrintLabels shows labels of the selected cards as they are printed.
func (h *Handlers) PrintLabels(w http.ResponseWriter, r *http.Request) error {
	p := labelsPage{Sheets: labelSheets, Sheet: labelSheets[0], Start: "1"}
	const name, title = "labels", "Print labels"
	var err error
	if p.toPrint, err = h.readToPrint(r); err != nil {
		return h.refuseToPrint(w, r, err, &p.toPrint, name, title, &p)
	}
	start, err := p.choose()
	if err != nil {
		return h.refuseToPrint(w, r, err, &p.toPrint, name, title, &p)
	}
	labels := make([]label, start, start+len(p.list))
	for _, card := range p.list {
		code, err := newQRCode(h.Public + "/cards/" + card.Card.ID)
		if err != nil {
			return fmt.Errorf("dashboard: QR code of a label: %w", err)
		}
		labels = append(labels, label{card, code})
	}
	if p.Count > 0 {
		p.Pages = slices.Collect(slices.Chunk(labels, p.Sheet.Each))
	}
	return h.Show(w, r, http.StatusOK, name, title, &p)
}

// choose takes the sheet and the first label from the address. It returns the number of labels of the first sheet that
// were used before.
func (p *labelsPage) choose() (used int, err error) {
	if name := p.query.Get("sheet"); name != "" {
		i := slices.IndexFunc(labelSheets, func(s labelSheet) bool { return s.Name == name })
		if i < 0 {
			p.SheetError = "choose one of the sheets"
			return 0, fault.Invalid("sheet", "%s", p.SheetError)
		}
		p.Sheet = labelSheets[i]
	}
	p.Start = cmp.Or(strings.TrimSpace(p.query.Get("start")), "1")
	if p.Sheet.Each == 1 {
		p.Start = "1" // a roll has no part that was used
	}
	start, err := strconv.Atoi(p.Start)
	if err != nil || start < 1 || start > p.Sheet.Each {
		p.StartError = fmt.Sprintf("must be from 1 to %d, the number of labels of the sheet", p.Sheet.Each)
		return 0, fault.Invalid("start", "%s", p.StartError)
	}
	return start - 1, nil
}

// quietZone is the white margin that readers of QR codes need, in modules.
const quietZone = 4

// qrCode is a QR code as an SVG picture: its dark modules are a path of lines with a width of 1.
type qrCode struct {
	Size int // of the picture, with the quiet zone
	Path string
}

// newQRCode returns the code of an address. Up to 15 % of it can be damaged.
func newQRCode(address string) (qrCode, error) {
	code, err := qr.Encode(address, qr.M)
	if err != nil {
		return qrCode{}, err
	}
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			begin := x
			for code.Black(x, y) {
				x++
			}
			if x > begin {
				fmt.Fprintf(&path, "M%d %d.5h%d", begin+quietZone, y+quietZone, x-begin)
			}
		}
	}
	return qrCode{code.Size + 2*quietZone, path.String()}, nil
}
