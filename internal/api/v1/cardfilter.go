package v1

import (
	"reflect"
	"strings"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/cards"
)

// The types that select cards, with their fields that are conditions of cards.Filter.
var (
	listFields    = filterFieldsOf[server.ListCardsParams]()
	batchFields   = filterFieldsOf[server.ListBatchCardsParams]()
	summaryFields = filterFieldsOf[server.SummarizeCardsParams]()
	jobFields     = filterFieldsOf[server.JobFilter]()
)

// filterField is a condition that a type can have.
type filterField struct {
	index     int
	condition *cards.FilterField
}

// filterFieldsOf returns the conditions of a type, which are the members with the names of cards.FilterFields.
func filterFieldsOf[Params any]() (fields []filterField) {
	params := reflect.TypeFor[Params]()
	for i := range cards.FilterFields {
		condition := &cards.FilterFields[i]
		if member, ok := memberOf(params, condition.Name); ok {
			fields = append(fields, filterField{member.Index[0], condition})
		}
	}
	return fields
}

// memberOf returns the field of a struct with a name in JSON.
func memberOf(body reflect.Type, name string) (member reflect.StructField, ok bool) {
	for member := range body.Fields() {
		if tag, _, _ := strings.Cut(member.Tag.Get("json"), ","); tag == name {
			return member, true
		}
	}
	return member, false
}

// filterOf converts the conditions of params, a pointer to a struct.
func filterOf(fields []filterField, params any) (f cards.Filter) {
	from := reflect.ValueOf(params).Elem()
	for _, field := range fields {
		value := from.Field(field.index)
		if value.IsNil() {
			continue
		}
		to := reflect.ValueOf(field.condition.Pointer(&f)).Elem()
		if to.Kind() != reflect.Slice {
			to.Set(value.Convert(to.Type()))
			continue
		}
		value = value.Elem()
		to.Set(reflect.MakeSlice(to.Type(), value.Len(), value.Len())) // an empty list is no condition left out
		for i := range value.Len() {
			to.Index(i).Set(value.Index(i).Convert(to.Type().Elem()))
		}
	}
	return f
}

// sorted returns the filter with the order of a list. The default has no name in the filter, so that a cursor is valid
// with and without it.
func sorted(f cards.Filter, sort *server.CardSort) cards.Filter {
	if sort != nil && *sort != cards.NewestFirst {
		f.Sort = string(*sort)
	}
	return f
}

// jobFilter converts the filter of a job.
func jobFilter(in *server.JobFilter) cards.Filter { return filterOf(jobFields, in) }
