package cards

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres"
)

// fill gives every field of a value a value of its own, so that none is forgotten when fields are added.
func fill(t *testing.T, v reflect.Value, next *int) {
	t.Helper()
	*next++
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), next)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Date(2026, 5, 11, 15, 32, *next%60, 123456000, time.UTC)))
			return
		}
		for i := range v.NumField() {
			fill(t, v.Field(i), next)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0), next)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("color"), reflect.ValueOf("red"))
	case reflect.String:
		v.SetString(fmt.Sprint("text ", *next))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(*next))
	case reflect.Float64:
		v.SetFloat(float64(*next) / 1000)
	case reflect.Bool:
		v.SetBool(true)
	default:
		t.Fatalf("a card has a field of kind %s", v.Kind())
	}
}

// A deletion keeps every field of a card.
func TestKeptRow_HasEveryField(t *testing.T) {
	t.Parallel()
	var want, got Card
	fill(t, reflect.ValueOf(&want).Elem(), new(int))
	row, err := keptRow(&want, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(row[0].(postgres.JSON)), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(row[1].(postgres.JSON)), &got.Photos); err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("a card that was kept (-before, +after):\n%s", diff)
	}
}
