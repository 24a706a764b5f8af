package dashboard

import (
	"cmp"
	"html/template"
)

// rowSize is about how many bytes a row of the table has.
const rowSize = 1200

// TableRows returns the rows of the table.
func (p *cardsPage) TableRows() template.HTML {
	var m markup
	m.out.Grow(len(p.Rows) * rowSize)
	for i := range p.Rows {
		m.tableRow(&p.Rows[i])
	}
	return m.HTML()
}

func (m *markup) tableRow(r *tableRow) {
	m.write(`
  <tr>
    <td class="box"><label><input type="checkbox" name="ids" value="{}" form="bulk">`, r.ID)
	m.write(`<span class="hidden">Select {}</span></label></td>
    <td class="thumb">`, cmp.Or(r.Title, "the card without a title"))
	if r.Photo != "" {
		m.write(`<img src="{}" alt="" width="36" height="50" loading="lazy">`, r.Photo)
	}
	m.write(`</td>
    <th scope="row"><a href="{}">`, r.Address)
	if r.Title != "" {
		m.write(`{}`, r.Title)
	} else {
		m.write(`<span class="quiet">No title</span>`)
	}
	m.write(`</a>
      <span class="quiet">{}</span></th>
    `, r.Below)
	for i := range r.Cells {
		m.tableCell(&r.Cells[i])
	}
	m.write(`
  </tr>
  `)
}

func (m *markup) tableCell(c *cardCell) {
	m.write(`<td class="c-{}`, c.Column)
	m.writeIf(c.Figure, ` figure`)
	m.writeIf(c.Text == noAmount, ` none`)
	m.write(`">`)
	switch {
	case c.Status != "":
		m.write(`<span class="status {}"><span class="dot" aria-hidden="true"></span>`, string(c.Status))
		m.write(`{}</span>`, c.Text)
	case c.Amount:
		m.write(`<span class="amount">{}</span>`, c.Text)
	case c.Time != "":
		m.write(`<time datetime="{}">{}</time>`, c.Time, c.Text)
	case c.Address != "":
		m.write(`<a href="{}">{}</a>`, c.Address, c.Text)
	default:
		m.write(`{}`, c.Text)
	}
	m.write(`</td>
    `)
}
