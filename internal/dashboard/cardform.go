package dashboard

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// cardField is a field of the form that changes a card.
type cardField struct {
	Name, Label, Value string
	Group              string   // the heading that it is under
	Options            []option // that can be chosen; nil for free text
	Max                int      // characters
	Long               bool     // a text of several lines
	Double             bool     // as wide as two fields, for texts that are long as a rule
	Decimal            bool     // an amount, for which phones show digits
	Type               string   // of the input; "" for text
	Error              string   // why the value was refused
}

// fieldGroup is a heading with its fields, which are saved together.
type fieldGroup struct {
	Name   string
	Fields []cardField
}

// Groups returns the fields by their headings, in the order of the fields.
func (p cardPage) Groups() (groups []fieldGroup) {
	for _, field := range p.Fields {
		if n := len(groups); n == 0 || groups[n-1].Name != field.Group {
			groups = append(groups, fieldGroup{Name: field.Group})
		}
		last := &groups[len(groups)-1]
		last.Fields = append(last.Fields, field)
	}
	return groups
}

// cardFields returns the fields of the form with the values of a card. Amounts of cards without a price are in the
// account's currency.
func cardFields(c *cards.Card, currency string) []cardField {
	d := &c.Identification.Description
	grade := d.Grade
	if grade == nil {
		grade = &cards.Grade{}
	}
	asking, askingCurrency := decimal(c.Pricing.AskingPrice, currency)
	floor, _ := decimal(c.Pricing.FloorPrice, currency)
	cost, costCurrency := decimal(c.Pricing.Cost, currency)
	const what, condition, price, place = "What it is", "Condition", "Price", "Place"
	return []cardField{
		{Name: "title", Label: "Title", Group: what, Value: value(d.Title), Max: cards.MaxTitle, Double: true},
		{Name: "set", Label: "Set", Group: what, Value: value(d.Set), Max: cards.MaxSet},
		{Name: "number", Label: "Number", Group: what, Value: value(d.Number), Max: cards.MaxNumber},
		{Name: "game", Label: "Game", Group: what, Value: value(d.Game), Options: wordOptions(cards.Games)},
		{Name: "year", Label: "Year", Group: what, Value: year(d.Year), Max: 4},
		{Name: "variant", Label: "Variant", Group: what, Value: value(d.Variant), Max: cards.MaxVariant},
		{Name: "language", Label: "Language", Group: what, Value: value(d.Language), Max: cards.MaxLanguage},
		{
			Name: "condition", Label: "Condition", Group: condition, Value: value(d.Condition),
			Options: sameOptions(cards.Conditions),
		},
		{Name: "grade_company", Label: "Graded by", Group: condition, Value: grade.Company, Max: cards.MaxGradeCompany},
		{Name: "grade_value", Label: "Grade", Group: condition, Value: grade.Value, Max: cards.MaxGradeValue},
		{
			Name: "grade_cert_number", Label: "Certificate", Group: condition, Value: value(grade.CertNumber),
			Max: cards.MaxCertNumber,
		},
		{Name: "asking_price", Label: "Asking price", Group: price, Value: asking, Decimal: true, Max: maxAmount},
		{Name: "asking_currency", Label: "Currency", Group: price, Value: askingCurrency, Max: 3},
		{Name: "floor_price", Label: "Floor price", Group: price, Value: floor, Decimal: true, Max: maxAmount},
		{Name: "cost", Label: "Cost", Group: price, Value: cost, Decimal: true, Max: maxAmount},
		{Name: "cost_currency", Label: "Currency of the cost", Group: price, Value: costCurrency, Max: 3},
		{
			Name: "location", Label: "Location", Group: place, Value: value(c.Location), Max: cards.MaxLocation,
			Double: true,
		},
		{Name: "sku", Label: "SKU", Group: place, Value: value(c.SKU), Max: cards.MaxSKU},
		{Name: "external_id", Label: "External id", Group: place, Value: value(c.ExternalID), Max: cards.MaxExternalID},
		{Name: "notes", Label: "Notes", Group: place, Value: value(c.Notes), Long: true, Max: cards.MaxNotes},
	}
}

// maxAmount is the maximum number of characters of an amount: 999,999,999.99 and a symbol.
const maxAmount = 16

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func year(y *int32) string {
	if y == nil {
		return ""
	}
	return strconv.Itoa(int(*y))
}

// decimal returns an amount for a form: 12.50 and its currency.
func decimal(m *money.Money, currency string) (amount, in string) {
	if m == nil {
		return "", currency
	}
	return m.Major(), m.Currency
}

// cardPatch returns the patch that a form describes. Fields that it lacks stay unchanged, because each group of fields
// is a form; empty fields clear their values. It returns an invalid_request fault with each field that cannot be read.
func cardPatch(form url.Values) (cards.Patch, error) {
	var p cards.Patch
	var refused []fault.Detail
	texts := map[string]*cards.Field[string]{
		"title": &p.Title, "set": &p.Set, "number": &p.Number, "game": &p.Game, "variant": &p.Variant,
		"language": &p.Language, "condition": &p.Condition, "location": &p.Location, "sku": &p.SKU,
		"external_id": &p.ExternalID, "notes": &p.Notes,
	}
	for name, field := range texts {
		if form.Has(name) {
			*field = textField(form, name)
		}
	}
	prices := map[string]*cards.Field[money.Money]{
		"asking_price": &p.AskingPrice, "floor_price": &p.FloorPrice, "cost": &p.Cost,
	}
	for name, field := range prices {
		if !form.Has(name) {
			continue
		}
		set, err := priceField(form, name)
		if err != nil {
			refused = append(refused, fault.Detail{Field: name, Message: reason(err)})
		}
		*field = set
	}
	if form.Has("year") {
		set, err := yearField(form)
		if err != nil {
			refused = append(refused, fault.Detail{Field: "year", Message: reason(err)})
		}
		p.Year = set
	}
	if form.Has("grade_company") || form.Has("grade_value") || form.Has("grade_cert_number") {
		p.Grade = gradeField(form)
	}
	if len(refused) > 0 {
		return p, fault.New(fault.InvalidRequest, "Correct the marked fields.").WithDetails(refused...)
	}
	return p, nil
}

// typed returns the value of a field without space around it.
func typed(form url.Values, name string) string { return blank.Trim(form.Get(name)) }

// textField returns the field of a patch. Browsers send line breaks as CR LF.
func textField(form url.Values, name string) cards.Field[string] {
	if text := strings.ReplaceAll(typed(form, name), "\r\n", "\n"); text != "" {
		return cards.Set(text)
	}
	return cards.Clear[string]()
}

func yearField(form url.Values) (cards.Field[int32], error) {
	text := typed(form, "year")
	if text == "" {
		return cards.Clear[int32](), nil
	}
	number, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return cards.Field[int32]{}, fault.New(fault.InvalidRequest, "must be a year such as 1999")
	}
	return cards.Set(int32(number)), nil
}

// currencyFields are the fields with the currencies of amounts. A floor price is in that of the asking price.
var currencyFields = map[string]string{
	"asking_price": "asking_currency", "floor_price": "asking_currency", "cost": "cost_currency",
}

func priceField(form url.Values, name string) (cards.Field[money.Money], error) {
	text, currency := typed(form, name), strings.ToUpper(typed(form, currencyFields[name]))
	if text == "" {
		return cards.Clear[money.Money](), nil
	}
	parsed, err := money.Parse(text, currency)
	if err != nil {
		return cards.Field[money.Money]{}, fault.New(fault.InvalidRequest, "must be an amount such as 12.50")
	}
	return cards.Set(parsed), nil
}

func gradeField(form url.Values) cards.Field[cards.Grade] {
	g := cards.Grade{Company: typed(form, "grade_company"), Value: typed(form, "grade_value")}
	if cert := typed(form, "grade_cert_number"); cert != "" {
		g.CertNumber = &cert
	}
	if g == (cards.Grade{}) {
		return cards.Clear[cards.Grade]()
	}
	return cards.Set(g)
}

// formFields are the fields of the form by the paths that faults of package cards name.
var formFields = map[string]string{
	"identification.grade.company": "grade_company", "identification.grade.value": "grade_value",
	"identification.grade.cert_number": "grade_cert_number",
	"pricing.asking_price.currency":    "asking_currency", "pricing.cost.currency": "cost_currency",
	"pricing.asking_price.amount": "asking_price", "pricing.cost.amount": "cost",
	"pricing.floor_price.amount": "floor_price", "pricing.floor_price.currency": "floor_price",
}

// formField returns the name of the form's field that a fault's detail is about.
func formField(path string) string {
	if name, ok := formFields[path]; ok {
		return name
	}
	return path[strings.LastIndex(path, ".")+1:]
}
