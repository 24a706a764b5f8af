package v1

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
)

// sample returns a value for a field that owners change.
func sample(f *cards.FieldInfo) any {
	switch {
	case f.IsAmount():
		return map[string]any{"amount": 450.0, "currency": "USD"}
	case f.Name == "grade":
		return map[string]any{"company": "PSA", "value": "9", "cert_number": "12"}
	case f.Name == "year":
		return 1999.0
	case f.Name == "language":
		return "pt-BR"
	case f.Name == "batch_id":
		return "bat_01k5w0q2m7t9c3r5v8x0z1b4d6"
	case f.Choices != nil:
		return f.Choices[1]
	}
	return "a " + f.Name
}

// Each field that owners change passes from the body of a request to the card, and from the card to the response.
func TestCard_HasEveryOwnedField(t *testing.T) {
	t.Parallel()
	want := map[string]any{}
	for _, f := range cards.OwnedFields {
		set(want, f.Path, sample(f))
	}
	body, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func() (cards.Patch, error){
		"CardInput": func() (cards.Patch, error) {
			var in server.CardInput
			err := json.Unmarshal(body, &in)
			return draft(&in).Patch, err
		},
		"CardPatch": func() (cards.Patch, error) {
			var in server.CardPatch
			err := json.Unmarshal(body, &in)
			return patch(&in), err
		},
		"CardUpdate": func() (cards.Patch, error) {
			var in server.CardUpdate
			err := json.Unmarshal(body, &in)
			return updatePatch(&in), err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := read()
			if err != nil {
				t.Fatal(err)
			}
			var card cards.Card
			if err := p.Apply(&card, time.Now()); err != nil {
				t.Fatal(err)
			}
			answer, err := json.Marshal((&Server{Clock: clock.System}).card(&card))
			if err != nil {
				t.Fatal(err)
			}
			var shown map[string]any
			if err := json.Unmarshal(answer, &shown); err != nil {
				t.Fatal(err)
			}
			for _, f := range cards.OwnedFields {
				if diff := cmp.Diff(sample(f), get(shown, f.Path)); diff != "" {
					t.Errorf("%s (-sent +answered):\n%s", f.Path, diff)
				}
			}
		})
	}
}

// set sets the value at a path of an object.
func set(object map[string]any, path string, value any) {
	name, rest, nested := strings.Cut(path, ".")
	if !nested {
		object[name] = value
		return
	}
	if object[name] == nil {
		object[name] = map[string]any{}
	}
	set(object[name].(map[string]any), rest, value)
}

// get returns the value at a path of an object.
func get(object map[string]any, path string) any {
	name, rest, nested := strings.Cut(path, ".")
	if !nested {
		return object[name]
	}
	inner, _ := object[name].(map[string]any)
	return get(inner, rest)
}

// null clears each field of a merge patch, and an absent field stays.
func TestPatch_ClearsFields(t *testing.T) {
	t.Parallel()
	body := map[string]any{}
	for _, f := range cards.OwnedFields {
		set(body, f.Path, nil)
	}
	for name, tc := range map[string]struct {
		body any
		want bool
	}{"null": {body, true}, "absent": {struct{}{}, false}} {
		text, err := json.Marshal(tc.body)
		if err != nil {
			t.Fatal(err)
		}
		var in server.CardPatch
		if err := json.Unmarshal(text, &in); err != nil {
			t.Fatal(err)
		}
		p := patch(&in)
		for _, f := range cards.OwnedFields {
			if field := f.Text(&p); field != nil && (!field.IsZero() != tc.want || field.Value() != nil) {
				t.Errorf("%s, %s: got %+v", name, f.Path, *field)
			}
		}
	}
}
