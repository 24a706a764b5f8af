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
	"github.com/google/go-cmp/cmp"

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
	statuses := statusesOf(t, c)
	var codes []string
	for _, cells := range row.FindAllStringSubmatch(table, -1) {
		code := cells[2]
		codes = append(codes, code)
		status, _ := strconv.Atoi(cells[3])
		want := fault.Code(code).Status()
		if cells[1] != code || status != want || !slices.Contains(statuses[code], status) {
			t.Errorf("%s: got the status %d, want %d, one of %v in the contract", code, status, want, statuses[code])
		}
	}
	if diff := cmp.Diff(c.codes, codes); diff != "" {
		t.Errorf("codes (-contract +table):\n%s", diff)
	}
	page := ask("GET", "/docs/errors").Body.String()
	for _, code := range c.codes {
		if !strings.Contains(page, `<a id="`+code+`">`) {
			t.Errorf("/docs/errors has no row for %s", code)
		}
	}
}

// statusesOf returns, for each error code, the statuses of the contract's responses that list it (x-error-codes),
// for all operations or for one.
func statusesOf(t *testing.T, c *contract) map[string][]int {
	t.Helper()
	out := map[string][]int{"not_implemented": {501}} // only in v2
	for _, item := range c.doc.Paths.Map() {
		for _, op := range item.Operations() {
			for status, response := range op.Responses.Map() {
				codes, _ := response.Value.Extensions["x-error-codes"].([]any)
				if own, ok := op.Extensions["x-error-codes"].(map[string]any); ok && own[status] != nil {
					more, _ := own[status].([]any)
					codes = append(slices.Clone(codes), more...)
				}
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
	if op := c.doc.Components.Responses["MethodNotAllowed"]; op == nil { // no operation has this response
		out["method_not_allowed"] = append(out["method_not_allowed"], 405)
	}
	return out
}

// The examples conform to the contract's schemas and have the same fields as the events that the program creates.
func TestPages_ShowEventExamples(t *testing.T) {
	t.Parallel()
	c := readV1(t)
	stamp := clock.Stamp{AccountID: id.New(id.Account, time.Now()), At: time.Now()}
	page := ask("GET", "/docs/webhooks").Body.String()
	for _, kind := range c.kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			envelope, err := c.event(kind)
			if err != nil {
				t.Fatal(err)
			}
			text, err := example(envelope)
			if err != nil {
				t.Fatal(err)
			}
			var value any
			if err := json.Unmarshal([]byte(text), &value); err != nil {
				t.Fatal(err)
			}
			if err := envelope.VisitJSON(value, openapi3.EnableFormatValidation()); err != nil {
				t.Error(err)
			}
			event, err := events.Example(stamp, events.Kind(kind))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(fields(event.Body), fields(text)); diff != "" {
				t.Errorf("fields (-event +example):\n%s", diff)
			}
			if !strings.Contains(page, `<h3 id="`+slug(kind)+`">`) {
				t.Errorf("/docs/webhooks has no section %s", kind)
			}
		})
	}
}

var name = regexp.MustCompile(`"([a-z_]+)":`)

// fields returns the names of all fields of a JSON text in their order, without repetitions.
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
			t.Errorf("%s is in %d rate limit classes, want one", o.ID, n)
		}
		if listed := strings.Contains(keyed, o.link()); listed != (o.Method == "POST") {
			t.Errorf("%s %s in the list of operations with a key: %v", o.Method, o.Path, listed)
		}
	}
}

func TestRenderMarkdown_InvalidGuides(t *testing.T) {
	t.Parallel()
	c := readV1(t)
	for name, source := range map[string]string{
		"no title":          "no title\n",
		"unknown generator": "# Title\n\n<!-- generated: nothing -->\n",
		"unknown operation": "# Title\n\nUse `GET /nothing`.\n",
		"unknown language":  "# Title\n\n```klingon\nx\n```\n",
		"unknown attribute": "# Title\n\n```sh teminal=1\nx\n```\n",
		"no language":       "# Title\n\n```\na block without a language\n```\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := c.renderMarkdown([]byte(source)); err == nil {
				t.Errorf("renderMarkdown(%q): got no error", source)
			}
		})
	}
}
