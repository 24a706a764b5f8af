package dashboard

import (
	"html/template"
	"slices"
)

// FilterFields returns the fields of the form of filters, without the search, which stands above the form.
func (p *cardsPage) FilterFields() template.HTML {
	var m markup
	for i := range filterFields {
		if f := &filterFields[i]; f.Name != "q" {
			m.filterField(f, p.Value(f.Name), p.Refused[f.Name])
		}
	}
	return m.HTML()
}

// filterField writes a field with its value, and why that was refused, or "".
func (m *markup) filterField(f *filterField, value, refused string) {
	m.write(`
      <div><label for="f-{}">{}</label>
        `, f.Name, f.Label)
	if f.Values != nil {
		m.write(`<select id="f-{}" name="{}"`, f.Name, f.Name)
		m.refusedBy(f.Name, refused)
		m.write(`>
          <option value="">any</option>
          `)
		m.filterChoices(f.Values, value)
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
func (m *markup) filterChoices(values []string, chosen string) {
	for _, value := range values {
		m.write(`<option`)
		m.writeIf(value == chosen, ` selected`)
		m.write(`>{}</option>`, value)
	}
	m.write(`
          `)
	if chosen != "" && !slices.Contains(values, chosen) {
		m.write(`<option selected>{}</option>`, chosen)
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
