package e2e

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cardvault/cardvault/internal/demo"
	"github.com/cardvault/cardvault/openapi"
	"github.com/cardvault/cardvault/openapi/additive"
)

// release is the folder with the contract of 1.0.0 and programs that use its clients.
const release = "../../openapi/released"

// understood is what an old program reports about the responses that it got.
type understood struct {
	Title, Status, Batch, Outcome, Basis, Market string
	Changed, Unknown                             int
	Events                                       map[string]int
	Refusals                                     []string
	Unmodified, Replayed                         bool
}

// oldShops returns the commands that run the old programs, by their folders under openapi/released/sdk.
func oldShops(t *testing.T) map[string][]string {
	t.Helper()
	return map[string][]string{
		"go-1.0.0":         {buildModule(t, release+"/sdk/go-1.0.0")},
		"typescript-1.0.0": {"node", release + "/sdk/typescript-1.0.0/shop.mjs"},
		"python-1.0.0":     {python(t), release + "/sdk/python-1.0.0/shop.py"},
	}
}

// python returns a Python with the dependencies of the Python client. It installs those that are missing.
func python(t *testing.T) string {
	t.Helper()
	install := exec.Command("../../gen/client/python/tools.sh")
	install.Stderr = os.Stderr
	bin, err := install.Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(bin)), "python")
}

// buildModule builds a program that is a module of its own, with the Go client that it uses. It returns the program's
// path.
func buildModule(t *testing.T, folder string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, ".")
	build.Dir, build.Env = folder, append(os.Environ(), "GOWORK=off")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return program
}

// photograph writes the picture that the old program uploads to a file and returns its path.
func photograph(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "card.jpg")
	if err := os.WriteFile(path, picture(t, 3), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// runOld runs an old program with a URL of the API and returns what it reports.
func runOld(t *testing.T, api, token string, program ...string) (got understood) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program[0], program[1:]...)
	command.Env = append(os.Environ(), "API="+api, "TOKEN="+token)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	if err := json.Unmarshal(output, &got); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return got
}

// operations returns the names of all operations of a contract, sorted.
func operations(doc *openapi3.T) []string {
	var names []string
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			names = append(names, op.OperationID)
		}
	}
	slices.Sort(names)
	return names
}

// TestOldClients runs old programs with this server, and with a server whose contract has every kind of additive
// change. They call every operation that their release has. The relay between them and the server checks both
// contracts.
func TestOldClients(t *testing.T) {
	t.Parallel()
	old, err := openapi3.NewLoader().LoadFromFile(release + "/v1-1.0.0.yaml")
	if err != nil {
		t.Fatal(err)
	}
	photo := photograph(t)
	s := start(t)
	installDemo(t, s)
	later, err := additive.Contract(openapi.V1)
	if err != nil {
		t.Fatal(err)
	}
	for folder, shop := range oldShops(t) {
		for name, contract := range map[string]*openapi3.T{"today": today(t), "after additions": later} {
			t.Run(folder+" "+name, func(t *testing.T) {
				t.Parallel()
				between := newRelay(t, s.url, contract, contract == later)
				server := httptest.NewServer(between)
				t.Cleanup(server.Close)
				got := runOld(t, server.URL+"/api", s.client(t, true).token, append(slices.Clone(shop), photo)...)
				got.check(t, contract == later)
				called := slices.Sorted(maps.Keys(between.called()))
				if diff := cmp.Diff(operations(old), called); diff != "" {
					t.Errorf("it does not call every operation of its release (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// check compares what an old program understood with what the service sent.
func (got understood) check(t *testing.T, grown bool) {
	t.Helper()
	value := func(today string) string {
		if grown {
			return additive.Value // the client passes on a value that its release does not have
		}
		return today
	}
	refusals := []string{"404 card_not_found", "400 invalid_request", "409 listing_not_live"}
	if grown {
		refusals = []string{"423 later_value", "400 later_value", "409 later_value"}
	}
	want := understood{
		Title:      demo.Drawings()[3].Art.Name,
		Status:     value("priced"),
		Batch:      value("complete"),
		Outcome:    value("identified"),
		Basis:      value("catalog"),
		Market:     value("sandbox"),
		Changed:    2,
		Refusals:   refusals,
		Unmodified: true,
		Replayed:   true,
		Events: map[string]int{
			"card.identified":              2,
			"card.priced":                  1,
			"card.workflow_status_changed": 5,
			"batch.completed":              1,
			"listing.published":            1,
			"listing.ended":                1,
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(understood{}, "Unknown")); diff != "" {
		t.Errorf("it understood something else (-want +got):\n%s", diff)
	}
	if grown != (got.Unknown > 0) {
		t.Errorf("it got %d events of unknown kinds, want some only after additions", got.Unknown)
	}
}
