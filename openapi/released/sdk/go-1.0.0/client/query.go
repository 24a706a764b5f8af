package cardvault

import (
	"fmt"
	"net/url"
	"reflect"
	"time"
)

// addQuery adds a parameter unless it is zero: each item of a slice, what a pointer points at (zero too), a time in UTC.
func addQuery(query url.Values, name string, value any) {
	v := reflect.ValueOf(value)
	if v.IsZero() {
		return
	}
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			query.Add(name, fmt.Sprint(v.Index(i)))
		}
		return
	case reflect.Pointer:
		v = v.Elem()
	}
	if t, ok := v.Interface().(time.Time); ok {
		query.Add(name, t.UTC().Format(time.RFC3339Nano))
		return
	}
	query.Add(name, fmt.Sprint(v))
}

// Ptr returns a pointer to a copy of v, for the few fields where left out, zero and false are told apart.
func Ptr[T any](v T) *T { return &v }
