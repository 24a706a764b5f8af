package dashboard

import (
	"cmp"
	"html/template"
	"slices"
	"strconv"

	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/money"
)

// FilterFields returns the fields of the form of filters, without the search, which stands above the form.
func (p *cardsPage) FilterFields() template.HTML {
	var m markup
	for i := range filterFields {
		if f := &filterFields[i]; f.Name != "q" {
			m.filterField(f, p.typed(f), p.refused(f))
		}
	}
	return m.HTML()
}

// typed returns the value of a filter as people type it.
func (p *cardsPage) typed(f *filterField) string {
	if value := p.Value(f.Name); value != "" || f.api == nil {
		return value
	}
	return f.api.shown(p.Value(f.api.Name), cmp.Or(p.Value("currency"), p.account.Currency))
}

// majorUnits returns a price of an address as people type it. A value that is not a price stays as it is.
func majorUnits(value, currency string) string {
	minor, err := strconv.ParseInt(value, 10, 64)
	if err != nil || minor < 0 {
		return value
	}
	return money.Money{Amount: minor, Currency: currency}.Major()
}

// refused returns why the value of a filter was refused, or "".
func (p *cardsPage) refused(f *filterField) string {
	if why := p.Refused[f.Name]; why != "" || f.api == nil {
		return why
	}
	return p.Refused[f.api.Name]
}

// marked reports whether a field of the form shows why its value was refused.
func (p *cardsPage) marked() bool {
	return slices.ContainsFunc(filterFields, func(f filterField) bool { return f.Name != "q" && p.refused(&f) != "" })
}

// filterField writes a field with its value, and why that was refused, or "".
func (m *markup) filterField(f *filterField, value, refused string) {
	m.write(`
      <div><label for="f-{}">{}</label>
        `, f.Name, f.Label)
	if f.Options != nil {
		m.write(`<select id="f-{}" name="{}"`, f.Name, f.Name)
		m.refusedBy(f.Name, refused)
		m.write(`>
          <option value="">any</option>
          `)
		m.filterChoices(f.Options, value)
		m.write(`
        </select>`)
	} else {
		m.write(`<input id="f-{}" name="{}" maxlength="200" value="{}"`, f.Name, f.Name, value)
		m.refusedBy(f.Name, refused)
		m.write(`>`)
	}
	m.write(`
        `)
	if refused != "" {
		m.write(`<p class="error" id="e-{}">{}</p>`, f.Name, refused)
	}
	m.write(`
      </div>`)
}

// refusedBy writes the attributes of a field whose value was refused.
func (m *markup) refusedBy(name, refused string) {
	if refused != "" {
		m.write(` aria-invalid="true" aria-describedby="e-{}"`, name)
	}
}

// filterChoices writes the values that can be chosen. It adds one that cannot, such as two statuses of a saved view.
func (m *markup) filterChoices(options []form.Option, chosen string) {
	known := chosen == ""
	for _, o := range options {
		m.write(`<option value="{}"`, o.Value)
		m.writeIf(o.Value == chosen, ` selected`)
		m.write(`>{}</option>`, o.Label)
		known = known || o.Value == chosen
	}
	m.write(`
          `)
	if !known {
		m.write(`<option value="{}" selected>{}</option>`, chosen, form.LabelOf(options, chosen))
	}
}

// ColumnChoices returns the boxes that choose the columns.
func (p *cardsPage) ColumnChoices() template.HTML {
	var m markup
	for i := range cardColumns {
		c := &cardColumns[i]
		m.write(`<label><input type="checkbox" name="columns" value="{}"`, c.Name)
		m.writeIf(p.Shows(c.Name), ` checked`)
		m.write(`> {}</label>
      `, c.Label)
	}
	return m.HTML()
}
