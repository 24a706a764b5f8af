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

// errorSchema is the schema of all responses with a status of 400 or above.
const errorSchema = "#/components/schemas/Error"

// commonHeaders are the headers of all responses.
var commonHeaders = []string{
	"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id", "Access-Control-Allow-Origin",
}

var documents = map[string][]byte{"v1": openapi.V1, "v2": openapi.V2}

// parsers return the documents that all tests share and none may change. To parse v1 takes a second.
var parsers = map[string]func() (*openapi3.T, error){"v1": openapi.ParseV1, "v2": openapi.ParseV2}

// shared returns the result of one of parsers.
func shared(t *testing.T, parse func() (*openapi3.T, error)) *openapi3.T {
	t.Helper()
	doc, err := parse()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// load parses a document for a test that changes it.
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
	for version, parse := range parsers {
		for path, item := range shared(t, parse).Paths.Map() {
			for method, op := range item.Operations() {
				t.Run(version+" "+method+" "+path, func(t *testing.T) { check(t, op) })
			}
		}
	}
}

// validate checks the document against the specification. That includes the examples, and that schemas have no unknown
// keys, which are the result of unquoted text with a comma.
func validate(t *testing.T, doc *openapi3.T) {
	t.Helper()
	err := doc.Validate(t.Context(), openapi3.EnableExamplesValidation(), openapi3.EnableSchemaFormatValidation())
	if err != nil {
		t.Error(err)
	}
}

// The validator may write to what it visits, so it gets documents of its own.
func TestDocuments_AreValid(t *testing.T) {
	t.Parallel()
	for version, document := range documents {
		t.Run(version, func(t *testing.T) { validate(t, load(t, document)) })
	}
}

// Validators do not know x-webhooks, so its items are validated as paths.
func TestWebhooks_AreValid(t *testing.T) {
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

func TestOperations_HaveDescriptions(t *testing.T) {
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

func TestResponses_HaveCommonHeaders(t *testing.T) {
	t.Parallel()
	eachOperation(t, func(t *testing.T, op *openapi3.Operation) {
		for status, response := range op.Responses.Map() {
			for _, name := range commonHeaders {
				if header := response.Value.Headers[name]; header == nil || !header.Value.Required {
					t.Errorf("%s: no required header %s", status, name)
				}
			}
		}
	})
}

// All responses of v1 document the deprecation headers; v2 is not deprecated.
func TestResponses_DocumentDeprecationHeaders(t *testing.T) {
	t.Parallel()
	for version, parse := range parsers {
		for path, item := range shared(t, parse).Paths.Map() {
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

func TestErrors_HaveErrorSchema(t *testing.T) {
	t.Parallel()
	eachOperation(t, func(t *testing.T, op *openapi3.Operation) {
		for status, response := range op.Responses.Map() {
			code, err := strconv.Atoi(status)
			if err != nil {
				t.Errorf("%s: want a single status", status)
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

func TestErrorCode_MatchesPackageFault(t *testing.T) {
	t.Parallel()
	documented := enum(t, shared(t, openapi.ParseV1), "ErrorCode")
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

func TestCurrency_IsAccepted(t *testing.T) {
	t.Parallel()
	for _, currency := range enum(t, shared(t, openapi.ParseV1), "Currency") {
		if err := (money.Money{Amount: 1, Currency: currency}).Check("price"); err != nil {
			t.Errorf("%s: %v", currency, err)
		}
	}
}

// The enumeration, the webhooks, the alternatives of Event and its discriminator must list the same kinds.
func TestEventKind_IsListedEverywhere(t *testing.T) {
	t.Parallel()
	doc := shared(t, openapi.ParseV1)
	kinds := enum(t, doc, "EventKind")
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

// Lists, summaries, batches and jobs have the same filters of cards.
func TestFilters_AreTheSame(t *testing.T) {
	t.Parallel()
	doc := load(t, openapi.V1)
	filters := filtersOf(doc, "/cards")
	if summary := filtersOf(doc, "/cards/summary"); !slices.Equal(summary, filters) {
		t.Errorf("GET /cards/summary has the filters %q, want %q", summary, filters)
	}
	job := slices.Sorted(maps.Keys(doc.Components.Schemas["JobFilter"].Value.Properties))
	if !slices.Equal(job, filters) {
		t.Errorf("JobFilter has the filters %q, want %q", job, filters)
	}
	inBatch := slices.DeleteFunc(slices.Clone(filters), func(name string) bool { return name == "batch" })
	if batch := filtersOf(doc, "/batches/{id}/cards"); !slices.Equal(batch, inBatch) {
		t.Errorf("GET /batches/{id}/cards has the filters %q, want %q", batch, inBatch)
	}
}

// filtersOf returns the query parameters of a GET that select cards, sorted.
func filtersOf(doc *openapi3.T, path string) []string {
	var names []string
	for _, p := range doc.Paths.Value(path).Get.Parameters {
		switch p.Value.Name {
		case "limit", "cursor", "sort", "updated_since", "group_by":
		default:
			if p.Value.In == openapi3.ParameterInQuery {
				names = append(names, p.Value.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// enum returns the values of an enumeration, sorted.
func enum(t *testing.T, doc *openapi3.T, name string) []string {
	t.Helper()
	schema := doc.Components.Schemas[name]
	if schema == nil || len(schema.Value.Enum) == 0 {
		t.Fatalf("%s is not an enumeration", name)
	}
	var values []string
	for _, value := range schema.Value.Enum {
		values = append(values, value.(string))
	}
	slices.Sort(values)
	return values
}
