package remote

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answerText returns the JSON of an answer with other values of some fields. A field whose value is nil is left out.
func answerText(t *testing.T, change map[string]any) string {
	t.Helper()
	fields := map[string]any{
		"title": " Ember Fox ", "set": "First Light", "set_code": "FLT", "number": "008", "printed_total": 193,
		"game": "pokemon", "language": "en", "variant": "", "year": 2022, "grader": "PSA", "grade": "10",
		"certificate": "12345678", "confidence": 0.9,
	}
	for name, value := range change {
		if fields[name] = value; value == nil {
			delete(fields, name)
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestParseAnswer(t *testing.T) {
	t.Parallel()
	want := Answer{
		Title: "Ember Fox", Set: "First Light", SetCode: "FLT", Number: "008", PrintedTotal: 193, Game: "pokemon",
		Language: "en", Year: 2022, Grader: "PSA", Grade: "10", Certificate: "12345678", Confidence: 0.9,
	}
	got, err := ParseAnswer([]byte(answerText(t, nil)))
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("ParseAnswer: %v (-want +got)\n%s", err, diff)
	}
	const secret = "quoted"
	for name, text := range map[string]string{
		"empty":               "",
		"text":                secret,
		"list":                "[" + answerText(t, nil) + "]",
		"cut":                 answerText(t, nil)[:40],
		"two":                 answerText(t, nil) + answerText(t, nil),
		"unknown field":       answerText(t, map[string]any{secret: 1}),
		"missing field":       answerText(t, map[string]any{"grade": nil}),
		"null":                strings.Replace(answerText(t, nil), `"FLT"`, "null", 1),
		"number as a text":    answerText(t, map[string]any{"year": secret}),
		"long title":          answerText(t, map[string]any{"title": strings.Repeat(secret, 40)}),
		"long number":         answerText(t, map[string]any{"number": strings.Repeat("1", 15)}),
		"line break":          answerText(t, map[string]any{"set": secret + "\n" + secret}),
		"NUL":                 answerText(t, map[string]any{"variant": "a\x00b"}),
		"game":                answerText(t, map[string]any{"game": secret}),
		"name of a language":  answerText(t, map[string]any{"language": "Japanese"}),
		"long language":       answerText(t, map[string]any{"language": "en" + strings.Repeat("-latn", 7)}),
		"negative total":      answerText(t, map[string]any{"printed_total": -1}),
		"year":                answerText(t, map[string]any{"year": 20222}),
		"certain":             answerText(t, map[string]any{"confidence": 1.01}),
		"negative confidence": answerText(t, map[string]any{"confidence": -0.1}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseAnswer([]byte(text))
			if !errors.Is(err, ErrBadAnswer) || strings.Contains(err.Error(), secret) {
				t.Errorf("ParseAnswer: got %+v, %v, want ErrBadAnswer that does not quote the answer", got, err)
			}
		})
	}
}

// TestSchema checks that the schema has the fields of an Answer, all of them required.
func TestSchema(t *testing.T) {
	t.Parallel()
	var fields map[string]any
	text, err := json.Marshal(Answer{})
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	if err != nil {
		t.Fatal(err)
	}
	properties, _ := Schema()["properties"].(map[string]any)
	want := slices.Sorted(maps.Keys(fields))
	for name, got := range map[string][]string{
		"properties": slices.Sorted(maps.Keys(properties)), "required": slices.Sorted(slices.Values(answerFields)),
	} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func FuzzParseAnswer(f *testing.F) {
	f.Add(`{"title":"Ember Fox","confidence":0.9}`)
	f.Fuzz(func(t *testing.T, text string) {
		if a, err := ParseAnswer([]byte(text)); err == nil && (len(a.fullNumber()) > 20*4 || a.Confidence > 1) {
			t.Errorf("ParseAnswer: got %+v", a)
		}
	})
}
