package portal

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
)

// row is a row of the table of error codes.
var row = regexp.MustCompile(`(?m)^\| <a id="([a-z_]+)"></a>` + "`([a-z_]+)`" + ` \| (\d+) \| ([^|]+) \| ([^|]+) \|$`)

func TestPages_ListEveryErrorCode(t *testing.T) {
	t.Parallel()
	c := readV1(t)
	table, err := errorCodes(c)
	if err != nil {
		t.Fatal(err)
	}
	statuses := answeredWith(t, c)
	var told []string
	for _, cells := range row.FindAllStringSubmatch(table, -1) {
		code := cells[2]
		told = append(told, code)
		status, _ := strconv.Atoi(cells[3])
		if cells[1] != code || status != fault.Code(code).Status() || !slices.Contains(statuses[code], status) {
			t.Errorf("%s: told as %d, the program has %d, the contract %v", code, status, fault.Code(code).Status(), statuses[code])
		}
	}
	if !slices.Equal(told, c.codes) {
		t.Errorf("told are %q,\nthe contract has %q", told, c.codes)
	}
	page := ask("GET", "/docs/errors").Body.String()
	for _, code := range c.codes {
		if !strings.Contains(page, `<a id="`+code+`">`) {
			t.Errorf("/docs/errors has no row for %s", code)
		}
	}
}

// answeredWith returns the statuses that the contract's responses give each code with (x-error-codes).
func answeredWith(t *testing.T, c *contract) map[string][]int {
	t.Helper()
	out := map[string][]int{"not_implemented": {501}} // v2's alone
	for _, item := range c.doc.Paths.Map() {
		for _, op := range item.Operations() {
			for status, response := range op.Responses.Map() {
				codes, _ := response.Value.Extensions["x-error-codes"].([]any)
				for _, code := range codes {
					n, err := strconv.Atoi(status)
					if err != nil {
						t.Fatal(err)
					}
					out[code.(string)] = append(out[code.(string)], n)
				}
			}
		}
	}
	if op := c.doc.Components.Responses["MethodNotAllowed"]; op == nil { // no operation answers it: there is none
		out["method_not_allowed"] = append(out["method_not_allowed"], 405)
	}
	return out
}

// TestPages_ShowEventExamples holds the examples to the contract's schemas and to what the program itself makes of each kind.
func TestPages_ShowEventExamples(t *testing.T) {
	t.Parallel()
	c := readV1(t)
	stamp := clock.Stamp{AccountID: id.New(id.Account, time.Now()), At: time.Now()}
	page := ask("GET", "/docs/webhooks").Body.String()
	for _, kind := range c.kinds {
		envelope, err := c.event(kind)
		if err != nil {
			t.Fatal(err)
		}
		text, err := example(envelope)
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if err := envelope.VisitJSON(value, openapi3.EnableFormatValidation()); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		made, err := events.Example(stamp, events.Kind(kind))
		if err != nil {
			t.Fatal(err)
		}
		if told, sent := fields(text), fields(made.Body); !slices.Equal(told, sent) {
			t.Errorf("%s: told with %q,\nsent with %q", kind, told, sent)
		}
		if !strings.Contains(page, `<h3 id="`+slug(kind)+`">`) {
			t.Errorf("/docs/webhooks has no section %s", kind)
		}
	}
}

var name = regexp.MustCompile(`"([a-z_]+)":`)

// fields are the names of all fields of a JSON text, in their order, each once.
func fields(text string) []string {
	var out []string
	for _, match := range name.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(out, match[1]) {
			out = append(out, match[1])
		}
	}
	return out
}

func TestPages_ListEveryOperation(t *testing.T) {
	t.Parallel()
	c := readV1(t)
	classes, err := rateClasses(c)
	if err != nil {
		t.Fatal(err)
	}
	keyed, err := keyedOperations(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range c.operations {
		if n := strings.Count(classes, o.link()); n != 1 {
			t.Errorf("%s is in %d classes", o.ID, n)
		}
		if listed := strings.Contains(keyed, o.link()); listed != (o.Method == "POST") {
			t.Errorf("%s %s is said to take a key: %v", o.Method, o.Path, listed)
		}
	}
}

func TestRenderMarkdown_RefusesInvalidGuides(t *testing.T) {
	t.Parallel()
	c := readV1(t)
	for _, written := range []string{
		"no title\n",
		"# Title\n\n<!-- generated: nothing -->\n",
		"# Title\n\nUse `GET /nothing`.\n",
		"# Title\n\n```klingon\nx\n```\n",
		"# Title\n\n```sh teminal=1\nx\n```\n",
		"# Title\n\n```\na block without a language\n```\n",
	} {
		if _, err := c.renderMarkdown([]byte(written)); err == nil {
			t.Errorf("%q was rendered", written)
		}
	}
}
