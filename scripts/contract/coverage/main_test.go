package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/api/apitest"
)

// noted returns a folder in which a test process noted these responses.
func noted(t *testing.T, responses []apitest.Response) string {
	t.Helper()
	folder := t.TempDir()
	var text strings.Builder
	for _, a := range responses {
		text.WriteString(a.String() + "\n")
	}
	if err := os.WriteFile(filepath.Join(folder, "api.test"), []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

// everything is what must have been seen: all that is promised, the code of addresses' other methods, and a code that
// only the cards in a list of refusals have.
func everything(t *testing.T) []apitest.Response {
	t.Helper()
	promised, err := apitest.Promised()
	if err != nil {
		t.Fatal(err)
	}
	return append(promised,
		apitest.Response{Version: "v1", Operation: apitest.NoOperation, Status: 405, Code: "method_not_allowed"},
		apitest.Response{Version: "v1", Operation: "listJobRefusals", Status: 200, Code: "sku_taken"})
}

func TestRun_Complete(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	complete, err := run(&out, noted(t, everything(t)))
	if err != nil || !complete || strings.Contains(out.String(), "no test produces") ||
		!strings.Contains(out.String(), "v1  getCard ") {
		t.Errorf("%t, %v:\n%s", complete, err, &out)
	}
}

func TestRun_NamesMissingResponses(t *testing.T) {
	t.Parallel()
	for _, missing := range []string{"v1 getCard 200", "v1 getCard 404 card_not_found",
		"v2 listCards 501 not_implemented", "v1 - 405 method_not_allowed"} {
		var seen []apitest.Response
		for _, a := range everything(t) {
			if a.String() != missing {
				seen = append(seen, a)
			}
		}
		want := "no test produces " + missing
		if strings.Contains(missing, apitest.NoOperation+" ") {
			want = "no test produces the code method_not_allowed"
		}
		var out strings.Builder
		if complete, err := run(&out, noted(t, seen)); err != nil || complete || !strings.Contains(out.String(), want) {
			t.Errorf("without %s: %t, %v:\n%s", missing, complete, err, &out)
		}
	}
}

func TestRun_WithoutRecords(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if _, err := run(&out, t.TempDir()); err == nil || !strings.Contains(err.Error(), apitest.SeenVariable) {
		t.Errorf("%v", err)
	}
}
