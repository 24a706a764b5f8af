package cards

import (
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// field is a field of a card that clients see.
type field interface {
	// name returns the path of the field in the contract's Card, such as "pricing.asking_price".
	name() string
	// same reports whether two cards have the same value.
	same(a, b *Card) bool
	// shown returns the value for a history.
	shown(c *Card) any
}

// ownedField is a field that the owner of a card changes. Its column has the last part of the path as its name, unless
// its kind has several columns.
type ownedField interface {
	field
	details() *FieldInfo
	// check adds the errors of the value that the patch sets.
	check(p *Patch, c *checks)
	// apply sets or clears the value of the card, as the patch says.
	apply(p *Patch, c *Card)
	// reduce takes the field out of the patch if the card has the value already.
	reduce(p *Patch, c *Card)
	// take copies the value of the card to the patch.
	take(p *Patch, c *Card)
	// drop takes the field out of the patch.
	drop(p *Patch)
	// dropCleared takes the field out of the patch if the patch clears it.
	dropCleared(p *Patch)
	// bytes returns the length of the value's texts, for quotas.
	bytes(c *Card) int64
	// columns returns the names of the columns.
	columns() []string
	// targets returns where a reader scans the columns.
	targets(r *rowReader) []any
	// appendValues appends the values of the columns.
	appendValues(row []any, c *Card) []any
}

// FieldInfo describes a field that the owner of a card changes, for the packages that handle all fields.
type FieldInfo struct {
	Path    string   // in CardPatch and Card of the contract, and in faults
	Name    string   // the last part of the path
	Limit   int      // characters of a text; 0 for other kinds
	Long    bool     // a text of several lines
	Choices []string // the values that can be chosen; nil for any

	field ownedField
}

// text returns the field if its values are texts, otherwise nil.
func (i *FieldInfo) text() *value[string] {
	switch f := i.field.(type) {
	case *textField:
		return &f.value
	case *batchField:
		return &f.value
	}
	return nil
}

// IsText reports whether the values are texts.
func (i *FieldInfo) IsText() bool { return i.text() != nil }

// Text returns the field of the patch if its values are texts, otherwise nil.
func (i *FieldInfo) Text(p *Patch) *Field[string] {
	if f := i.text(); f != nil {
		return f.ofPatch(p)
	}
	return nil
}

// TextOf returns the value of a card, which is a text.
func (i *FieldInfo) TextOf(c *Card) *string { return *i.text().ofCard(c) }

// Amount returns the field of the patch if its values are amounts of money, otherwise nil.
func (i *FieldInfo) Amount(p *Patch) *Field[money.Money] {
	if amount, ok := i.field.(*priceField); ok {
		return amount.ofPatch(p)
	}
	return nil
}

// IsAmount reports whether the values are amounts of money.
func (i *FieldInfo) IsAmount() bool {
	_, ok := i.field.(*priceField)
	return ok
}

// OwnedFields describes the fields that owners change, in the order of a history.
var OwnedFields = describe(ownedFields)

// FieldNamed returns the field with a name, which must exist.
func FieldNamed(name string) *FieldInfo {
	for _, f := range OwnedFields {
		if f.Name == name {
			return f
		}
	}
	panic("cards: no field is named " + name)
}

var (
	ownedFields = ownedAmong(fields)
	// describedFields are the ownedFields of the identification. plainFields are those that no rule of Patch.Apply
	// concerns.
	describedFields, plainFields = byRule(ownedFields)
)

func ownedAmong(all []field) (list []ownedField) {
	for _, f := range all {
		if f, ok := f.(ownedField); ok {
			list = append(list, f)
		}
	}
	return list
}

func describe(list []ownedField) []*FieldInfo {
	infos := make([]*FieldInfo, len(list))
	for i, f := range list {
		infos[i] = f.details()
		infos[i].field = f
	}
	return infos
}

func byRule(list []ownedField) (described, plain []ownedField) {
	for _, f := range list {
		switch name := f.name(); {
		case strings.HasPrefix(name, "identification."):
			described = append(described, f)
		case name != "pricing.asking_price" && name != "batch_id":
			plain = append(plain, f)
		}
	}
	return described, plain
}

// value is a field of an optional value, with the common part of all kinds.
type value[T any] struct {
	FieldInfo
	ofCard  func(*Card) **T
	ofPatch func(*Patch) *Field[T]
	equal   func(a, b *T) bool
	rule    func(c *checks, path string, v *T) // nil allows every value
}

func newValue[T any](
	path string, ofCard func(*Card) **T, ofPatch func(*Patch) *Field[T], equal func(a, b *T) bool,
	rule func(*checks, string, *T),
) value[T] {
	info := FieldInfo{Path: path, Name: path[strings.LastIndexByte(path, '.')+1:]}
	return value[T]{info, ofCard, ofPatch, equal, rule}
}

func (f *value[T]) name() string         { return f.Path }
func (f *value[T]) details() *FieldInfo  { return &f.FieldInfo }
func (f *value[T]) same(a, b *Card) bool { return f.equal(*f.ofCard(a), *f.ofCard(b)) }
func (f *value[T]) shown(c *Card) any    { return *f.ofCard(c) }
func (f *value[T]) bytes(*Card) int64    { return 0 }
func (f *value[T]) drop(p *Patch)        { *f.ofPatch(p) = Field[T]{} }
func (f *value[T]) columns() []string    { return []string{f.Name} }
func (f *value[T]) take(p *Patch, c *Card) {
	*f.ofPatch(p) = Field[T]{given: true, value: *f.ofCard(c)}
}

func (f *value[T]) dropCleared(p *Patch) {
	if f.ofPatch(p).value == nil {
		f.drop(p)
	}
}

func (f *value[T]) check(p *Patch, c *checks) {
	if v := f.ofPatch(p).value; v != nil && f.rule != nil {
		f.rule(c, f.Path, v)
	}
}

func (f *value[T]) apply(p *Patch, c *Card) {
	if set := f.ofPatch(p); set.given {
		*f.ofCard(c) = set.value
	}
}

func (f *value[T]) reduce(p *Patch, c *Card) {
	if set := f.ofPatch(p); set.given && f.equal(set.value, *f.ofCard(c)) {
		*set = Field[T]{}
	}
}

// equal reports whether two optional values are equal.
func equal[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// textField is a field of text, with one column.
type textField struct{ value[string] }

func newText(
	path string, ofCard func(*Card) **string, ofPatch func(*Patch) *Field[string],
	rule func(*checks, string, *string),
) *textField {
	return &textField{newValue(path, ofCard, ofPatch, equal, rule)}
}

func (f *textField) bytes(c *Card) int64        { return length(*f.ofCard(c)) }
func (f *textField) targets(r *rowReader) []any { return []any{into(f.ofCard(&r.card))} }
func (f *textField) appendValues(row []any, c *Card) []any {
	return append(row, *f.ofCard(c))
}

// length returns the number of bytes of an optional text.
func length(text *string) int64 {
	if text == nil {
		return 0
	}
	return int64(len(*text))
}

// line returns a field of 1 to limit characters without line breaks.
func line(path string, limit int, ofCard func(*Card) **string, ofPatch func(*Patch) *Field[string]) field {
	f := newText(path, ofCard, ofPatch, func(c *checks, path string, v *string) { c.add(CheckLine(path, *v, limit)) })
	f.Limit = limit
	return f
}

// lines returns a field of up to limit characters, which can have several lines.
func lines(path string, limit int, ofCard func(*Card) **string, ofPatch func(*Patch) *Field[string]) field {
	f := newText(path, ofCard, ofPatch, func(c *checks, path string, v *string) { c.lines(path, *v, limit) })
	f.Limit, f.Long = limit, true
	return f
}

// choice returns a field with one of the values.
func choice(path string, values []string, ofCard func(*Card) **string, ofPatch func(*Patch) *Field[string]) field {
	f := newText(path, ofCard, ofPatch, func(c *checks, path string, v *string) { c.oneOf(path, *v, values) })
	f.Choices = values
	return f
}

// language returns a field with a language tag.
func language(path string, ofCard func(*Card) **string, ofPatch func(*Patch) *Field[string]) field {
	f := newText(path, ofCard, ofPatch, func(c *checks, path string, v *string) { c.language(path, *v) })
	f.Limit = MaxLanguage
	return f
}

// location returns a field with the path of a place.
func location(path string, ofCard func(*Card) **string, ofPatch func(*Patch) *Field[string]) field {
	f := newText(path, ofCard, ofPatch, func(c *checks, path string, v *string) { c.add(CheckLocation(path, *v)) })
	f.Limit = MaxLocation
	return f
}

// batch returns a field with the identifier of a batch. It does not count against quotas.
func batch(path string, ofCard func(*Card) **string, ofPatch func(*Patch) *Field[string]) field {
	return &batchField{textField: *newText(path, ofCard, ofPatch, nil)}
}

type batchField struct{ textField }

func (f *batchField) bytes(*Card) int64 { return 0 }

// yearField is a field with a year, with one column.
type yearField struct{ value[int32] }

func year(path string, ofCard func(*Card) **int32, ofPatch func(*Patch) *Field[int32]) field {
	return &yearField{newValue(path, ofCard, ofPatch, equal, (*checks).year)}
}

func (f *yearField) targets(r *rowReader) []any { return []any{f.ofCard(&r.card)} }
func (f *yearField) appendValues(row []any, c *Card) []any {
	return append(row, *f.ofCard(c))
}

// priceField is a field with an amount of money, with a column for the amount and one for the currency.
type priceField struct {
	value[money.Money]
	column string // the beginning of the names of the columns
}

func price(
	path, column string, ofCard func(*Card) **money.Money, ofPatch func(*Patch) *Field[money.Money],
) field {
	rule := func(c *checks, path string, v *money.Money) { c.add(v.Check(path)) }
	return &priceField{newValue(path, ofCard, ofPatch, equal, rule), column}
}

func (f *priceField) columns() []string {
	return []string{f.column + "_amount", f.column + "_currency"}
}

func (f *priceField) targets(r *rowReader) []any {
	columns := &priceColumns{card: f.ofCard(&r.card)}
	r.parts = append(r.parts, columns)
	return []any{into(&columns.amount), into(&columns.currency)}
}

func (f *priceField) appendValues(row []any, c *Card) []any {
	if m := *f.ofCard(c); m != nil {
		return append(row, m.Amount, m.Currency)
	}
	return append(row, nil, nil)
}

// priceColumns are the columns of a priceField in a row.
type priceColumns struct {
	amount   *int64
	currency *string
	card     **money.Money
}

// join implements part.
func (p *priceColumns) join() {
	if p.amount != nil {
		*p.card = &money.Money{Amount: *p.amount, Currency: *p.currency}
	}
}

// gradeField is the field with the grade of a card, with three columns.
type gradeField struct{ value[Grade] }

func grade(path string, ofCard func(*Card) **Grade, ofPatch func(*Patch) *Field[Grade]) field {
	return &gradeField{newValue(path, ofCard, ofPatch, (*Grade).equal, (*checks).grade)}
}

func (g *Grade) equal(other *Grade) bool {
	return g == other || g != nil && other != nil && g.Company == other.Company && g.Value == other.Value &&
		equal(g.CertNumber, other.CertNumber)
}

func (f *gradeField) shown(c *Card) any { return (*f.ofCard(c)).shown() }

func (f *gradeField) bytes(c *Card) int64 {
	g := *f.ofCard(c)
	if g == nil {
		return 0
	}
	return int64(len(g.Company)+len(g.Value)) + length(g.CertNumber)
}

func (f *gradeField) columns() []string {
	return []string{"grade_company", "grade_value", "grade_cert_number"}
}

func (f *gradeField) targets(r *rowReader) []any {
	columns := &gradeColumns{card: f.ofCard(&r.card)}
	r.parts = append(r.parts, columns)
	return []any{into(&columns.company), into(&columns.value), into(&columns.cert)}
}

func (f *gradeField) appendValues(row []any, c *Card) []any {
	if g := *f.ofCard(c); g != nil {
		return append(row, g.Company, g.Value, g.CertNumber)
	}
	return append(row, nil, nil, nil)
}

// gradeColumns are the columns of a gradeField in a row.
type gradeColumns struct {
	company, value, cert *string
	card                 **Grade
}

// join implements part.
func (g *gradeColumns) join() {
	if g.company != nil {
		*g.card = &Grade{Company: *g.company, Value: *g.value, CertNumber: g.cert}
	}
}

// readOnly is a field that owners do not change themselves.
type readOnly struct {
	path  string
	equal func(a, b *Card) bool
	value func(*Card) any
}

func (f *readOnly) name() string         { return f.path }
func (f *readOnly) same(a, b *Card) bool { return f.equal(a, b) }
func (f *readOnly) shown(c *Card) any    { return f.value(c) }

// word returns a field that always has a value.
func word[T ~string](path string, of func(*Card) T) field {
	return &readOnly{
		path, func(a, b *Card) bool { return of(a) == of(b) }, func(c *Card) any { return of(c) },
	}
}

// optionalValue returns a field that can lack its value.
func optionalValue[T comparable](path string, of func(*Card) *T) field {
	return &readOnly{
		path, func(a, b *Card) bool { return equal(of(a), of(b)) }, func(c *Card) any { return of(c) },
	}
}

// moment returns a field with a time.
func moment(path string, of func(*Card) *time.Time) field {
	return &readOnly{
		path, func(a, b *Card) bool { return sameTime(of(a), of(b)) },
		func(c *Card) any { return timestamp.Or(of(c)) },
	}
}

func sameTime(a, b *time.Time) bool { return a == b || a != nil && b != nil && a.Equal(*b) }

// photo returns the field with the photo of a role.
func photo(path string, role Role) field {
	return &readOnly{
		path, func(a, b *Card) bool { return equal(a.shownPhoto(role), b.shownPhoto(role)) },
		func(c *Card) any { return c.shownPhoto(role) },
	}
}
