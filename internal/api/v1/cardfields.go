package v1

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/oapi-codegen/nullable"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/money"
)

// A body has the fields that owners change where their paths say, as pointers or as fields of a merge patch. patchOf
// reads every field of cards.OwnedFields, so that a new field needs no line here.
var (
	inputFields  = fieldsOf[server.CardInput]()
	patchFields  = fieldsOf[server.CardPatch]()
	updateFields = fieldsOf[server.CardUpdate]()
)

// bodyField is a field of a body.
type bodyField struct {
	group int // the member that has the field; -1 for the body itself
	index int
	set   func(p *cards.Patch, value reflect.Value)
}

// fieldsOf returns the fields of a type of bodies.
func fieldsOf[Body any]() []bodyField {
	var fields []bodyField
	for _, info := range cards.OwnedFields {
		body, group := reflect.TypeFor[Body](), -1
		if name, _, nested := strings.Cut(info.Path, "."); nested {
			member := mustMember(body, name)
			body, group = member.Type.Elem(), member.Index[0]
		}
		fields = append(fields, bodyField{group, mustMember(body, info.Name).Index[0], setterOf(info)})
	}
	return fields
}

func mustMember(body reflect.Type, name string) reflect.StructField {
	member, ok := memberOf(body, name)
	if !ok {
		panic(fmt.Sprintf("%s has no member %s", body, name))
	}
	return member
}

// setterOf returns the function that sets the field of a patch to a member's value.
func setterOf(info *cards.FieldInfo) func(*cards.Patch, reflect.Value) {
	switch {
	case info.IsAmount():
		return setter(info.Amount, moneyOf)
	case info.Name == "grade":
		return setter(func(p *cards.Patch) *cards.Field[cards.Grade] { return &p.Grade }, grade)
	case info.Name == "year":
		return setter(func(p *cards.Patch) *cards.Field[int32] { return &p.Year }, same[int32])
	}
	return setter(info.Text, same[string])
}

func same[T any](v T) T { return v }

func setter[From, To any](
	field func(*cards.Patch) *cards.Field[To], as func(From) To,
) func(*cards.Patch, reflect.Value) {
	return func(p *cards.Patch, value reflect.Value) {
		switch v := value.Interface().(type) {
		case nullable.Nullable[From]:
			*field(p) = fieldAs(v, as)
		default: // a pointer, also to a type of an enumeration
			*field(p) = cards.Set(as(value.Elem().Convert(reflect.TypeFor[From]()).Interface().(From)))
		}
	}
}

// patchOf returns the patch that sets the fields of a body.
func patchOf(fields []bodyField, body any) (p cards.Patch) {
	whole := reflect.ValueOf(body).Elem()
	for _, f := range fields {
		in := whole
		if f.group >= 0 {
			if in = whole.Field(f.group).Elem(); !in.IsValid() {
				continue
			}
		}
		if value := in.Field(f.index); !value.IsNil() {
			f.set(&p, value)
		}
	}
	return p
}

// patch converts a body of PATCH /cards/{id}.
func patch(in *server.CardPatch) cards.Patch {
	p := patchOf(patchFields, in)
	p.Metadata, p.Archived = field(in.Metadata), in.Archived
	return p
}

// updatePatch converts an item of PATCH /cards.
func updatePatch(in *server.CardUpdate) cards.Patch {
	p := patchOf(updateFields, in)
	p.Metadata, p.Archived = field(in.Metadata), in.Archived
	return p
}

// field converts a field of a merge patch: absent, null or a value.
func field[T any](v nullable.Nullable[T]) cards.Field[T] { return fieldAs(v, same[T]) }

func fieldAs[From, To any](v nullable.Nullable[From], as func(From) To) cards.Field[To] {
	if !v.IsSpecified() {
		return cards.Field[To]{}
	}
	value, err := v.Get()
	if err != nil { // it is null
		return cards.Clear[To]()
	}
	return cards.Set(as(value))
}

func grade(g server.Grade) cards.Grade {
	return cards.Grade{Company: g.Company, Value: g.Value, CertNumber: g.CertNumber}
}

func moneyOf(m server.Money) money.Money {
	return money.Money{Amount: m.Amount, Currency: string(m.Currency)}
}
