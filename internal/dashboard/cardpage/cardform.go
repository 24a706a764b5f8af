package cardpage

import (
	"slices"
	"strconv"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/money"
)

// cardField is a field of the form that changes a card.
type cardField struct {
	form.Field
	// get returns the value of a card. The currency is the account's, for a card without an amount.
	get func(c *cards.Card, currency string) string
	// set sets the value in a patch, or clears it. It is nil for a field that is read with another one.
	set func(p *cards.Patch, f *form.Form, name string)
}

// The headings of the fields.
const (
	headWhat      = "What it is"
	headCondition = "Condition"
	headPrice     = "Price"
	headPlace     = "Place"
)

// cardFields are the fields of the form, in the order in which they are shown.
var cardFields = withOthers([]cardField{
	cardText(form.Field{Name: "title", Label: "Title", Group: headWhat, Double: true}),
	cardText(form.Field{Name: "set", Label: "Set", Group: headWhat}),
	cardText(form.Field{Name: "number", Label: "Number", Group: headWhat}),
	cardText(form.Field{
		Name: "game", Label: "Game", Group: headWhat, Kind: form.Choice, Options: format.Options(cards.Games),
	}),
	{
		Field: form.Field{
			Name: "year", Path: "identification.year", Label: "Year", Group: headWhat, Max: 4,
		},
		get: func(c *cards.Card, _ string) string { return year(c.Identification.Year) }, set: setYear,
	},
	cardText(form.Field{Name: "variant", Label: "Variant", Group: headWhat}),
	cardText(form.Field{Name: "language", Label: "Language", Group: headWhat}),
	cardText(form.Field{
		Name: "condition", Label: "Condition", Group: headCondition, Kind: form.Choice,
		Options: form.Same(cards.Conditions),
	}),
	cardGrade("company", "Graded by", cards.MaxGradeCompany, func(g *cards.Grade) string { return g.Company }),
	cardGrade("value", "Grade", cards.MaxGradeValue, func(g *cards.Grade) string { return g.Value }),
	cardGrade("cert_number", "Certificate", cards.MaxCertNumber, func(g *cards.Grade) string {
		return format.Text(g.CertNumber)
	}),
	cardAmount("asking_price", "Asking price", "asking_currency",
		func(c *cards.Card) *money.Money { return c.Pricing.AskingPrice },
		func(p *cards.Patch) *cards.Field[money.Money] { return &p.AskingPrice }),
	cardCurrency("asking_currency", "Currency", "pricing.asking_price.currency",
		func(c *cards.Card) *money.Money { return c.Pricing.AskingPrice }),
	cardAmount("floor_price", "Floor price", "asking_currency",
		func(c *cards.Card) *money.Money { return c.Pricing.FloorPrice },
		func(p *cards.Patch) *cards.Field[money.Money] { return &p.FloorPrice }),
	cardAmount("cost", "Cost", "cost_currency",
		func(c *cards.Card) *money.Money { return c.Pricing.Cost },
		func(p *cards.Patch) *cards.Field[money.Money] { return &p.Cost }),
	cardCurrency("cost_currency", "Currency of the cost", "pricing.cost.currency",
		func(c *cards.Card) *money.Money { return c.Pricing.Cost }),
	cardText(form.Field{Name: "location", Label: "Location", Group: headPlace, Double: true}),
	cardText(form.Field{Name: "sku", Label: "SKU", Group: headPlace}),
	cardText(form.Field{Name: "external_id", Label: "External id", Group: headPlace}),
	cardText(form.Field{Name: "notes", Label: "Notes", Group: headPlace}),
})

// elsewhere are the fields that other forms of the page change.
var elsewhere = []string{"batch_id", "catalog_id"}

// withOthers adds the texts of cards that the list lacks. Their names are their labels.
func withOthers(fields []cardField) []cardField {
	for _, f := range cards.OwnedFields {
		listed := slices.ContainsFunc(fields, func(field cardField) bool { return field.Name == f.Name })
		if f.IsText() && !listed && !slices.Contains(elsewhere, f.Name) {
			fields = append(fields, cardText(form.Field{Name: f.Name, Label: format.Words(f.Name), Group: headPlace}))
		}
	}
	return fields
}

// cardText returns a field for a text of a card. Its path and its limit come from the table of the fields of cards.
func cardText(field form.Field) cardField {
	info := cards.FieldNamed(field.Name)
	field.Path, field.Max = info.Path, info.Limit
	if info.Long {
		field.Kind = form.Lines
	}
	return cardField{
		Field: field,
		get:   func(c *cards.Card, _ string) string { return format.Text(info.TextOf(c)) },
		set:   func(p *cards.Patch, f *form.Form, name string) { *info.Text(p) = cards.SetText(f.Text(name)) },
	}
}

// cardAmount returns a field for a price of a card.
func cardAmount(
	name, label, currency string, get func(*cards.Card) *money.Money,
	part func(*cards.Patch) *cards.Field[money.Money],
) cardField {
	return cardField{
		Field: form.Field{
			Name: name, Path: "pricing." + name, Label: label, Group: headPrice, Kind: form.Amount, Max: form.MaxAmount,
			CurrencyField: currency,
		},
		get: func(c *cards.Card, currency string) string {
			amount, _ := form.Major(get(c), currency)
			return amount
		},
		set: func(p *cards.Patch, f *form.Form, name string) {
			*part(p) = cards.Clear[money.Money]()
			if amount := f.Amount(name); amount != nil {
				*part(p) = cards.Set(*amount)
			}
		},
	}
}

// cardCurrency returns a field for the currency of a price, which is read with the price.
func cardCurrency(name, label, path string, get func(*cards.Card) *money.Money) cardField {
	return cardField{
		Field: form.Field{Name: name, Path: path, Label: label, Group: headPrice, Max: 3},
		get: func(c *cards.Card, currency string) string {
			_, currency = form.Major(get(c), currency)
			return currency
		},
	}
}

// cardGrade returns a field for a part of the grade. A patch has all parts or none.
func cardGrade(part, label string, most int, get func(*cards.Grade) string) cardField {
	return cardField{
		Field: form.Field{
			Name: "grade_" + part, Path: "identification.grade." + part, Label: label, Group: headCondition, Max: most,
		},
		get: func(c *cards.Card, _ string) string {
			if c.Identification.Grade == nil {
				return ""
			}
			return get(c.Identification.Grade)
		},
		set: func(p *cards.Patch, f *form.Form, _ string) { p.Grade = patchGrade(f) },
	}
}

func patchGrade(f *form.Form) cards.Field[cards.Grade] {
	g := cards.Grade{
		Company: f.Sent("grade_company"), Value: f.Sent("grade_value"),
		CertNumber: nilIfEmpty(f.Sent("grade_cert_number")),
	}
	if g == (cards.Grade{}) {
		return cards.Clear[cards.Grade]()
	}
	return cards.Set(g)
}

func nilIfEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func setYear(p *cards.Patch, f *form.Form, name string) {
	p.Year = cards.Clear[int32]()
	if year := f.Int(name, "must be a year such as 1999"); year != nil {
		p.Year = cards.Set(*year)
	}
}

func year(y *int32) string {
	if y == nil {
		return ""
	}
	return strconv.Itoa(int(*y))
}

// cardForm returns the form with the values of a card. Amounts of cards without a price are in the account's currency.
func cardForm(c *cards.Card, currency string) *form.Form {
	fields := make([]form.Field, len(cardFields))
	for i, field := range cardFields {
		fields[i] = field.Field
		fields[i].Value = field.get(c, currency)
	}
	return form.New(fields...)
}

// cardPatch returns the patch that a form describes. Fields that the browser did not send stay unchanged, because each
// group of fields is a form; empty fields clear their values. It returns an invalid_request fault with each field that
// cannot be parsed.
func cardPatch(f *form.Form) (cards.Patch, error) {
	var p cards.Patch
	for _, field := range cardFields {
		if field.set != nil && f.Has(field.Name) {
			field.set(&p, f, field.Name)
		}
	}
	return p, f.Err()
}
