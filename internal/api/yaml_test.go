package api

import (
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/cardvault/cardvault/openapi"
)

func TestYAMLToJSON(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"b: 1\na: [x, '1', 2.5, true, null]\n":            `{"b":1,"a":["x","1",2.5,true,null]}`,
		"one: &x {z: '<&>', y: é}\ntwo: *x\n":             `{"one":{"z":"<&>","y":"é"},"two":{"z":"<&>","y":"é"}}`,
		"'200': |\n  two\n  lines\n201: one\n":            `{"200":"two\nlines\n","201":"one"}`,
		"date: 2026-05-11\nbig: 99999999999\nempty: {}\n": `{"date":"2026-05-11","big":99999999999,"empty":{}}`,
		"pattern: '^[^\\x00]*$'\n":                        `{"pattern":"^[^\\x00]*$"}`,
	} {
		t.Run(written, func(t *testing.T) {
			got, err := yamlToJSON([]byte(written))
			if err != nil || strings.TrimSpace(string(got)) != want {
				t.Errorf("%q: %s, %v, want %s", written, got, err, want)
			}
		})
	}
	for _, written := range []string{"a: [", "true: a key that is not a string\n", "a: .inf\n"} {
		if got, err := yamlToJSON([]byte(written)); err == nil {
			t.Errorf("%q became %s", written, got)
		}
	}
}

// The contract is the same in both formats, with its keys in the same order.
func TestYAMLToJSON_Contracts(t *testing.T) {
	t.Parallel()
	for version, written := range map[string][]byte{"v1": openapi.V1, "v2": openapi.V2} {
		t.Run(version, func(t *testing.T) {
			converted, err := yamlToJSON(written)
			if err != nil {
				t.Fatal(err)
			}
			if asJSON, asYAML := normalize(t, converted), normalize(t, written); asJSON != asYAML {
				t.Errorf("%s differs: %d and %d bytes", version, len(asJSON), len(asYAML))
			}
			text, last := string(converted), 0
			for _, key := range []string{`"openapi"`, `"info"`, `"tags"`, `"components"`, `"paths"`, `"/cards"`,
				`"get"`, `"responses"`} {
				at := strings.Index(text[last:], key)
				if at < 0 {
					t.Fatalf("%s is missing or out of order", key)
				}
				last += at
			}
		})
	}
}

// normalize returns the document as kin-openapi parses it.
func normalize(t *testing.T, document []byte) string {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatal(err)
	}
	text, err := doc.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
