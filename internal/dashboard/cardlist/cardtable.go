package cardlist

import (
	"cmp"
	"html/template"

	"github.com/cardvault/cardvault/internal/dashboard/web"
)

// rowSize is about how many bytes a row of the table has.
const rowSize = 1200

// TableRows returns the rows of the table.
func (p *cardsPage) TableRows() template.HTML {
	var m web.Markup
	m.Grow(len(p.Rows) * rowSize)
	for i := range p.Rows {
		writeRow(&m, &p.Rows[i])
	}
	return m.HTML()
}

func writeRow(m *web.Markup, r *tableRow) {
	m.Write(`
  <tr>
    <td class="box"><label><input type="checkbox" name="ids" value="{}" form="bulk">`, r.ID)
	m.Write(`<span class="hidden">Select {}</span></label></td>
    <td class="thumb">`, cmp.Or(r.Title, "the card without a title"))
	if r.Photo != "" {
		m.Write(`<img src="{}" alt="" width="36" height="50" loading="lazy">`, r.Photo)
	}
	m.Write(`</td>
    <th scope="row"><a href="{}">`, r.Address)
	if r.Title != "" {
		m.Write(`{}`, r.Title)
	} else {
		m.Write(`<span class="quiet">No title</span>`)
	}
	m.Write(`</a>
      <span class="quiet">{}</span></th>
    `, r.Below)
	for i := range r.Cells {
		writeCell(m, &r.Cells[i])
	}
	m.Write(`
  </tr>
  `)
}

func writeCell(m *web.Markup, c *cardCell) {
	m.Write(`<td class="c-{}`, c.Column)
	m.WriteIf(c.Figure, ` figure`)
	m.WriteIf(c.Text == noAmount, ` none`)
	m.Write(`">`)
	switch {
	case c.Status != "":
		m.Write(`<span class="status {}"><span class="dot" aria-hidden="true"></span>`, string(c.Status))
		m.Write(`{}</span>`, c.Text)
	case c.Amount:
		m.Write(`<span class="amount">{}</span>`, c.Text)
	case c.Time != "":
		m.Write(`<time datetime="{}">{}</time>`, c.Time, c.Text)
	case c.Address != "":
		m.Write(`<a href="{}">{}</a>`, c.Address, c.Text)
	default:
		m.Write(`{}`, c.Text)
	}
	m.Write(`</td>
    `)
}
