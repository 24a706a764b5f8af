package waiting_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/waiting"
	"github.com/cardvault/cardvault/openapi"
)

// The contract and the operator's guide list every reason.
func TestReasons_Documented(t *testing.T) {
	t.Parallel()
	spec, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	var listed []waiting.Reason
	for _, reason := range spec.Components.Schemas["WaitReason"].Value.Enum {
		listed = append(listed, waiting.Reason(reason.(string)))
	}
	if diff := cmp.Diff(waiting.Reasons(), listed); diff != "" {
		t.Errorf("reasons of the contract (-code +contract):\n%s", diff)
	}
	guide, err := os.ReadFile("../../openapi/guides/why-is-it-stuck.md")
	if err != nil {
		t.Fatal(err)
	}
	listed = nil
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|").FindAllSubmatch(guide, -1) {
		listed = append(listed, waiting.Reason(row[1]))
	}
	slices.Sort(listed)
	if diff := cmp.Diff(waiting.Reasons(), listed); diff != "" {
		t.Errorf("reasons of the guide (-code +guide):\n%s", diff)
	}
}

// Each reason has a whole sentence, and a code of a later version has one too.
func TestReason_Message(t *testing.T) {
	t.Parallel()
	seen := map[string]waiting.Reason{}
	for _, reason := range waiting.Reasons() {
		message := reason.Message()
		if other, ok := seen[message]; ok || !regexp.MustCompile(`^[A-Z].{10,400}\.$`).MatchString(message) {
			t.Errorf("%s: the message %q is no sentence of its own (%s)", reason, message, other)
		}
		seen[message] = reason
	}
	if got := waiting.Reason("from_a_later_version").Message(); got != waiting.Problem.Message() {
		t.Errorf("an unknown reason: got %q", got)
	}
}
