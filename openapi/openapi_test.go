package openapi_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/openapi"
)

// errorSchema is what every answer of 400 and above refers to.
const errorSchema = "#/components/schemas/Error"

// everywhere are the headers of every answer, whatever its status.
var everywhere = []string{
	"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id", "Access-Control-Allow-Origin",
}

var documents = map[string][]byte{"v1": openapi.V1, "v2": openapi.V2}

func load(t *testing.T, document []byte) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// eachOperation calls check for every operation of both documents.
func eachOperation(t *testing.T, check func(t *testing.T, op *openapi3.Operation)) {
	t.Helper()
	for version, document := range documents {
		for path, item := range load(t, document).Paths.Map() {
			for method, op := range item.Operations() {
				t.Run(version+" "+method+" "+path, func(t *testing.T) { check(t, op) })
			}
		}
	}
}

// validate checks the document against the specification, which includes that every schema has known keys alone (a
// text split at a comma leaves one that is not) and that examples match their schemas.
func validate(t *testing.T, doc *openapi3.T) {
	t.Helper()
	err := doc.Validate(t.Context(), openapi3.EnableExamplesValidation(), openapi3.EnableSchemaFormatValidation())
	if err != nil {
		t.Error(err)
	}
}

func TestDocumentsAreValid(t *testing.T) {
	t.Parallel()
	for version, document := range documents {
		t.Run(version, func(t *testing.T) { validate(t, load(t, document)) })
	}
}

// TestWebhooksAreValid reads x-webhooks, which no validator knows, as if they were paths.
func TestWebhooksAreValid(t *testing.T) {
	t.Parallel()
	doc := load(t, openapi.V1)
	paths := map[string]any{}
	for kind, item := range webhooks(t, doc) {
		paths["/"+kind] = item
	}
	raw, err := json.Marshal(paths)
	if err != nil {
		t.Fatal(err)
	}
	doc.Paths = &openapi3.Paths{}
	if err := doc.Paths.UnmarshalJSON(raw); err != nil {
		t.Fatal(err)
	}
	if err := openapi3.NewLoader().ResolveRefsIn(doc, nil); err != nil {
		t.Fatal(err)
	}
	validate(t, doc)
}

func webhooks(t *testing.T, doc *openapi3.T) map[string]any {
	t.Helper()
	items, ok := doc.Extensions["x-webhooks"].(map[string]any)
	if !ok {
		t.Fatalf("x-webhooks is %T", doc.Extensions["x-webhooks"])
	}
	return items
}

func TestOperationsAreDescribed(t *testing.T) {
	t.Parallel()
	classes := []any{"read", "write", "ai"}
	eachOperation(t, func(t *testing.T, op *openapi3.Operation) {
		if op.OperationID == "" || op.Summary == "" || op.Description == "" || len(op.Tags) == 0 {
			t.Errorf("operationId %q, summary %q, description %q, tags %q: none may be empty",
				op.OperationID, op.Summary, op.Description, op.Tags)
		}
		if class := op.Extensions["x-rate-class"]; !slices.Contains(classes, class) {
			t.Errorf("x-rate-class %v, want one of %v", class, classes)
		}
	})
}

func TestAnswersCarryTheCommonHeaders(t *testing.T) {
	t.Parallel()
	eachOperation(t, func(t *testing.T, op *openapi3.Operation) {
		for status, response := range op.Responses.Map() {
			for _, name := range everywhere {
				if header := response.Value.Headers[name]; header == nil || !header.Value.Required {
					t.Errorf("%s: no required header %s", status, name)
				}
			}
		}
	})
}

// Clients of v1 are told of its end in the headers of every answer; v2 has no end to tell of.
func TestAnswersOfV1MayAnnounceItsEnd(t *testing.T) {
	t.Parallel()
	for version, document := range documents {
		for path, item := range load(t, document).Paths.Map() {
			for method, op := range item.Operations() {
				for status, response := range op.Responses.Map() {
					for _, name := range []string{"Deprecation", "Sunset", "Link"} {
						header := response.Value.Headers[name]
						if (header != nil) != (version == "v1") || header != nil && header.Value.Required {
							t.Errorf("%s %s %s: %s: header %s is %v", version, method, path, status, name, header)
						}
					}
				}
			}
		}
	}
}

func TestErrorsHaveOneShape(t *testing.T) {
	t.Parallel()
	eachOperation(t, func(t *testing.T, op *openapi3.Operation) {
		for status, response := range op.Responses.Map() {
			code, err := strconv.Atoi(status)
			if err != nil {
				t.Errorf("%s: every status is documented by itself", status)
			}
			if code < 400 {
				continue
			}
			media := response.Value.Content["application/json"]
			if media == nil || media.Schema.Ref != errorSchema {
				t.Errorf("%s: does not refer to %s", status, errorSchema)
			}
		}
	})
}

func TestErrorCodesAreThoseOfTheProgram(t *testing.T) {
	t.Parallel()
	documented := enum(t, load(t, openapi.V1), "ErrorCode")
	if inProgram := faultCodes(t); !slices.Equal(documented, inProgram) {
		t.Errorf("ErrorCode is %q, internal/fault has %q", documented, inProgram)
	}
}

// faultCodes returns the constants of the first block of internal/fault/codes.go, those of the HTTP contract, sorted.
func faultCodes(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../internal/fault/codes.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	block := slices.IndexFunc(file.Decls, func(d ast.Decl) bool {
		declaration, ok := d.(*ast.GenDecl)
		return ok && declaration.Tok == token.CONST
	})
	if block < 0 {
		t.Fatal("internal/fault/codes.go has no constants")
	}
	var codes []string
	for _, spec := range file.Decls[block].(*ast.GenDecl).Specs {
		for _, value := range spec.(*ast.ValueSpec).Values {
			code, err := strconv.Unquote(value.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}

func TestCurrenciesAreTaken(t *testing.T) {
	t.Parallel()
	for _, currency := range enum(t, load(t, openapi.V1), "Currency") {
		if err := (money.Money{Amount: 1, Currency: currency}).Check("price"); err != nil {
			t.Errorf("%s: %v", currency, err)
		}
	}
}

// TestEventKindsAreDescribed holds the places that list the eight kinds to one another: the enumeration, the webhooks,
// the alternatives of Event, and what tells them apart.
func TestEventKindsAreDescribed(t *testing.T) {
	t.Parallel()
	doc := load(t, openapi.V1)
	kinds := enum(t, doc, "EventKind")
	if len(kinds) != 8 {
		t.Errorf("%d kinds, want 8: %q", len(kinds), kinds)
	}
	if documented := slices.Sorted(maps.Keys(webhooks(t, doc))); !slices.Equal(documented, kinds) {
		t.Errorf("x-webhooks has %q, want %q", documented, kinds)
	}
	event := doc.Components.Schemas["Event"].Value
	if len(event.OneOf) != len(kinds) || len(event.Discriminator.Mapping) != len(kinds) {
		t.Errorf("Event has %d alternatives and %d mappings, want %d",
			len(event.OneOf), len(event.Discriminator.Mapping), len(kinds))
	}
	for _, kind := range kinds {
		ref := event.Discriminator.Mapping[kind].Ref
		schema := doc.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")]
		if schema == nil {
			t.Errorf("%s: no schema %q", kind, ref)
			continue
		}
		if got := schema.Value.Properties["event"].Value.Enum; !slices.Equal(got, []any{kind}) {
			t.Errorf("%s: event may be %v", ref, got)
		}
	}
}

// enum returns the values of an enumeration, sorted.
func enum(t *testing.T, doc *openapi3.T, name string) []string {
	t.Helper()
	schema := doc.Components.Schemas[name]
	if schema == nil || len(schema.Value.Enum) == 0 {
		t.Fatalf("no enumeration %s", name)
	}
	var values []string
	for _, value := range schema.Value.Enum {
		values = append(values, value.(string))
	}
	slices.Sort(values)
	return values
}
