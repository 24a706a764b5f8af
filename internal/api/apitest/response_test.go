package apitest

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestResponse_StringRoundTrip(t *testing.T) {
	t.Parallel()
	for _, a := range []Response{{"v1", "getCard", 404, "card_not_found"}, {"v2", "listCards", 200, ""},
		{"v1", NoOperation, 405, "method_not_allowed"}} {
		if back, err := parseResponse(a.String()); err != nil || back != a {
			t.Errorf("%s: %v, %v", a, back, err)
		}
	}
	for _, line := range []string{"", "v1 getCard", "v1 getCard ok", "v1 getCard 404 a b"} {
		if a, err := parseResponse(line); err == nil {
			t.Errorf("%q is %v", line, a)
		}
	}
}

func TestPromised(t *testing.T) {
	t.Parallel()
	promised, err := Promised()
	if err != nil {
		t.Fatal(err)
	}
	for response, want := range map[Response]bool{
		{"v1", "getCard", http.StatusOK, ""}:                     true,
		{"v1", "getCard", http.StatusNotFound, "card_not_found"}: true,
		// of the shared response, but not of this operation
		{"v1", "getCard", http.StatusNotFound, "batch_not_found"}:             false,
		{"v1", "getCard", http.StatusUnauthorized, "revoked_token"}:           true, // of the shared response
		{"v2", "listCards", http.StatusNotImplemented, "not_implemented"}:     true,
		{"v1", "completeBatch", http.StatusConflict, "idempotency_conflict"}:  true,
		{"v1", "listCards", http.StatusInternalServerError, "internal_error"}: true,
	} {
		t.Run(response.String(), func(t *testing.T) {
			if slices.Contains(promised, response) != want {
				t.Errorf("%s: promised %t", response, !want)
			}
		})
	}
}

// The list of an operation contains only codes of ErrorCode, and only statuses that the operation documents.
func TestContract_ErrorCodesAreConsistent(t *testing.T) {
	t.Parallel()
	for _, d := range []document{v1(), v2()} {
		for _, item := range d.spec.Paths.Map() {
			for _, operation := range item.Operations() {
				own, _ := operation.Extensions["x-error-codes"].(map[string]any)
				for _, status := range slices.Sorted(maps.Keys(own)) {
					if operation.Responses.Value(status) == nil {
						t.Errorf("%s lists codes for %s, which it does not document", operation.OperationID, status)
					}
				}
			}
		}
	}
	promised, err := Promised()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range promised {
		if a.Code != "" && !slices.Contains(Codes(), a.Code) {
			t.Errorf("%s: ErrorCode does not contain %s", a, a.Code)
		}
	}
}

func TestReadSeen_JoinsProcesses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{"api.test": "v1 getCard 200\nv1 getCard 404 card_not_found\n",
		"main.test": "v1 getCard 200\nv2 listCards 501 not_implemented\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	seen, err := ReadSeen(folder)
	if err != nil {
		t.Fatal(err)
	}
	want := []Response{{"v1", "getCard", http.StatusOK, ""}, {"v1", "getCard", http.StatusNotFound, "card_not_found"},
		{"v2", "listCards", http.StatusNotImplemented, "not_implemented"}}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("responses (-want +got):\n%s", diff)
	}
	if err := os.WriteFile(filepath.Join(folder, "half"), []byte("v1 getC"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadSeen(folder); err == nil || !strings.Contains(err.Error(), "half") {
		t.Errorf("incomplete file: got %v, want an error that names it", err)
	}
}
