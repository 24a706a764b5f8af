package cardvault

import (
	"fmt"
	"net/url"
	"reflect"
	"time"
)

// addQuery adds a parameter unless value is zero. It adds each item of a slice, the target of a pointer even if that is
// zero, and a time in UTC. An empty slice that is not nil is added without a value, which the service refuses: a list
// that a program has filtered down to nothing must not select everything.
func addQuery(query url.Values, name string, value any) {
	v := reflect.ValueOf(value)
	if v.IsZero() {
		return
	}
	switch v.Kind() {
	case reflect.Slice:
		if v.Len() == 0 {
			query.Add(name, "")
		}
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
