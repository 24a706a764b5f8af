package contract_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/cardvault/cardvault/openapi"
	"github.com/cardvault/cardvault/openapi/additive"
)

// base is the contract to compare with: as JSON, which is read in a fraction of YAML's time.
var base = sync.OnceValues(func() ([]byte, error) {
	doc, err := openapi3.NewLoader().LoadFromData(openapi.V1)
	if err != nil {
		return nil, err
	}
	return doc.MarshalJSON()
})

// released is the contract to compare with, in a file.
func released(t *testing.T) string {
	t.Helper()
	text, err := base()
	if err != nil {
		t.Fatal(err)
	}
	return write(t, text)
}

// today is the contract to compare with, to be changed.
func today(t *testing.T) *openapi3.T {
	t.Helper()
	text, err := base()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// store writes a contract to a file and returns its path.
func store(t *testing.T, doc *openapi3.T) string {
	t.Helper()
	text, err := doc.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return write(t, text)
}

func write(t *testing.T, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "contract.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a script and returns its exit code and all that it prints.
func run(t *testing.T, dir, script string, args ...string) (code int, said string) {
	t.Helper()
	command := exec.Command(script, args...)
	command.Dir = dir
	output, err := command.CombinedOutput()
	if command.ProcessState == nil {
		t.Fatal(err)
	}
	return command.ProcessState.ExitCode(), string(output)
}

func TestBreaking_AcceptsAdditions(t *testing.T) {
	t.Parallel()
	later, err := additive.Contract(openapi.V1)
	if err != nil {
		t.Fatal(err)
	}
	if code, said := run(t, ".", "./breaking.sh", released(t), store(t, later)); code != 0 ||
		!strings.Contains(said, "nothing breaks") {
		t.Errorf("exit code %d: %s", code, said)
	}
	if code, said := run(t, ".", "./breaking.sh", store(t, later), released(t)); code != 1 {
		t.Errorf("taking all of it back: exit code %d: %s", code, said)
	}
}

// A known value of an open schema may be added, and not removed.
func TestBreaking_KnownValues(t *testing.T) {
	t.Parallel()
	const values = "x-known-values: [ebay, sandbox]"
	contract := string(openapi.V1)
	if strings.Count(contract, values) != 1 {
		t.Fatalf("the contract does not have %q once", values)
	}
	fewer := write(t, []byte(strings.Replace(contract, values, "x-known-values: [sandbox]", 1)))
	code, said := run(t, ".", "./breaking.sh", write(t, openapi.V1), fewer)
	if code != 1 || !strings.Contains(said, "enum-value-removed") {
		t.Errorf("a known value removed: exit code %d: %s", code, said)
	}
	if code, said := run(t, ".", "./breaking.sh", fewer, write(t, openapi.V1)); code != 0 {
		t.Errorf("a known value added: exit code %d: %s", code, said)
	}
}

func TestBreaking_UnreadableContract(t *testing.T) {
	t.Parallel()
	if code, said := run(t, ".", "./breaking.sh", "no-such-file", released(t)); code < 2 ||
		strings.Contains(said, "belongs into v2") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

func schema(doc *openapi3.T, name string) *openapi3.Schema { return doc.Components.Schemas[name].Value }

// without removes a string from a list.
func without(list []string, gone string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == gone })
}

// Each change breaks some client; what the script says names the rule of oasdiff that noticed.
func TestBreaking_EveryKindOfChange(t *testing.T) {
	t.Parallel()
	short := uint64(60)
	for name, tc := range map[string]struct {
		rule   string
		change func(doc *openapi3.T)
	}{
		"an operation taken away": {"api-removed-without-deprecation", func(doc *openapi3.T) {
			doc.Paths.Value("/batches/{id}/complete").Post = nil
		}},
		"an operation renamed": {"api-operation-id-removed", func(doc *openapi3.T) {
			doc.Paths.Value("/cards").Get.OperationID = "getCards"
		}},
		"a field of an answer taken away": {"response-required-property-removed", func(doc *openapi3.T) {
			batch := schema(doc, "Batch")
			delete(batch.Properties, "card_count")
			batch.Required = without(batch.Required, "card_count")
		}},
		"an optional field of an answer taken away": {"response-optional-property-removed", func(doc *openapi3.T) {
			delete(schema(doc, "Error").Properties["error"].Value.Properties, "details")
		}},
		"a field of an answer that may be missing": {"response-property-became-optional", func(doc *openapi3.T) {
			schema(doc, "Batch").Required = without(schema(doc, "Batch").Required, "card_count")
		}},
		"a field of an answer that may be null": {"response-property-became-nullable", func(doc *openapi3.T) {
			schema(doc, "Batch").Properties["card_count"].Value.Nullable = true
		}},
		"a field of an answer with another type": {"response-property-type-changed", func(doc *openapi3.T) {
			schema(doc, "Batch").Properties["card_count"].Value.Type = &openapi3.Types{"string"}
		}},
		"a header of answers taken away": {"required-response-header-removed", func(doc *openapi3.T) {
			delete(doc.Components.Responses["NotModified"].Value.Headers, "ETag")
		}},
		"an optional header of answers taken away": {"optional-response-header-removed", func(doc *openapi3.T) {
			delete(doc.Components.Responses["NotModified"].Value.Headers, "Sunset")
		}},
		"another status of success": {"response-success-status-removed", func(doc *openapi3.T) {
			responses := doc.Paths.Value("/batches").Post.Responses
			responses.Set("200", responses.Value("201"))
			responses.Delete("201")
		}},
		"a parameter taken away": {"request-parameter-removed", func(doc *openapi3.T) {
			op := doc.Paths.Value("/cards").Get
			op.Parameters = slices.DeleteFunc(op.Parameters,
				func(p *openapi3.ParameterRef) bool { return p.Value.Name == "sku" })
		}},
		"a parameter that must be sent": {"request-parameter-became-required", func(doc *openapi3.T) {
			doc.Components.Parameters["CardSku"].Value.Required = true
		}},
		"another default": {"request-parameter-default-value-changed", func(doc *openapi3.T) {
			doc.Components.Parameters["Limit"].Value.Schema.Value.Default = 20
		}},
		"a field of a request taken away": {"request-property-removed", func(doc *openapi3.T) {
			delete(schema(doc, "BatchInput").Properties, "description")
		}},
		"a field of a request that must be sent": {"request-property-became-required", func(doc *openapi3.T) {
			schema(doc, "BatchInput").Required = append(schema(doc, "BatchInput").Required, "description")
		}},
		"a new field of a request that must be sent": {"new-required-request-property", func(doc *openapi3.T) {
			input := schema(doc, "BatchInput")
			input.Properties["colour"] = openapi3.NewSchemaRef("", openapi3.NewStringSchema())
			input.Required = append(input.Required, "colour")
		}},
		"a request's narrower bound": {"request-property-max-length-decreased", func(doc *openapi3.T) {
			schema(doc, "BatchInput").Properties["name"].Value.MaxLength = &short
		}},
		"a value that requests may hold taken away": {"request-property-enum-value-removed", func(doc *openapi3.T) {
			game := schema(doc, "Game")
			game.Enum = game.Enum[1:]
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc := today(t)
			tc.change(doc)
			code, said := run(t, ".", "./breaking.sh", released(t), store(t, doc))
			if code != 1 || !strings.Contains(said, "error\t["+tc.rule+"]") ||
				!strings.Contains(said, "belongs into v2") {
				t.Errorf("exit code %d, want 1 and the error %s: %s", code, tc.rule, said)
			}
		})
	}
}
