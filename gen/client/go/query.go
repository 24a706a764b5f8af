package cardvault

import (
	"fmt"
	"net/url"
	"reflect"
	"time"
)

// addQuery adds a parameter unless value is zero. It adds each item of a slice, the target of a pointer even if that is
// zero, and a time in UTC.
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

// Ptr returns a pointer to a copy of v, for the fields in which zero or false differs from an omitted value.
func Ptr[T any](v T) *T { return &v }
