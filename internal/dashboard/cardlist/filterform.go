package cardlist

import (
	"cmp"
	"html/template"
	"slices"

	"github.com/cardvault/cardvault/internal/dashboard/cardquery"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
)

// FilterFields returns the fields of the form of filters, without the search, which stands above the form.
func (p *cardsPage) FilterFields() template.HTML {
	var m web.Markup
	for i := range cardquery.Fields {
		if f := &cardquery.Fields[i]; f.Name != "q" {
			writeFilter(&m, f, p.typed(f), p.refused(f))
		}
	}
	return m.HTML()
}

// typed returns the value of a filter as people type it.
func (p *cardsPage) typed(f *cardquery.Field) string {
	if value := p.Value(f.Name); value != "" || f.API == nil {
		return value
	}
	return f.API.Shown(p.Value(f.API.Name), cmp.Or(p.Value("currency"), p.account.Currency))
}

// refused returns why the value of a filter was refused, or "".
func (p *cardsPage) refused(f *cardquery.Field) string {
	if why := p.Refused[f.Name]; why != "" || f.API == nil {
		return why
	}
	return p.Refused[f.API.Name]
}

// marked reports whether a field of the form shows why its value was refused.
func (p *cardsPage) marked() bool {
	return slices.ContainsFunc(cardquery.Fields, func(f cardquery.Field) bool {
		return f.Name != "q" && p.refused(&f) != ""
	})
}

// writeFilter writes a field with its value, and why that was refused, or "".
func writeFilter(m *web.Markup, f *cardquery.Field, value, refused string) {
	m.Write(`
      <div><label for="f-{}">{}</label>
        `, f.Name, f.Label)
	if f.Options != nil {
		m.Write(`<select id="f-{}" name="{}"`, f.Name, f.Name)
		refusedBy(m, f.Name, refused)
		m.Write(`>
          <option value="">any</option>
          `)
		filterChoices(m, f.Options, value)
		m.Write(`
        </select>`)
	} else {
		m.Write(`<input id="f-{}" name="{}" maxlength="200" value="{}"`, f.Name, f.Name, value)
		refusedBy(m, f.Name, refused)
		m.Write(`>`)
	}
	m.Write(`
        `)
	if refused != "" {
		m.Write(`<p class="error" id="e-{}">{}</p>`, f.Name, refused)
	}
	m.Write(`
      </div>`)
}

// refusedBy writes the attributes of a field whose value was refused.
func refusedBy(m *web.Markup, name, refused string) {
	if refused != "" {
		m.Write(` aria-invalid="true" aria-describedby="e-{}"`, name)
	}
}

// filterChoices writes the values that can be chosen. It adds one that cannot, such as two statuses of a saved view.
func filterChoices(m *web.Markup, options []form.Option, chosen string) {
	known := chosen == ""
	for _, o := range options {
		m.Write(`<option value="{}"`, o.Value)
		m.WriteIf(o.Value == chosen, ` selected`)
		m.Write(`>{}</option>`, o.Label)
		known = known || o.Value == chosen
	}
	m.Write(`
          `)
	if !known {
		m.Write(`<option value="{}" selected>{}</option>`, chosen, form.LabelOf(options, chosen))
	}
}

// ColumnChoices returns the boxes that choose the columns.
func (p *cardsPage) ColumnChoices() template.HTML {
	var m web.Markup
	for i := range cardColumns {
		c := &cardColumns[i]
		m.Write(`<label><input type="checkbox" name="columns" value="{}"`, c.Name)
		m.WriteIf(p.Shows(c.Name), ` checked`)
		m.Write(`> {}</label>
      `, c.Label)
	}
	return m.HTML()
}
