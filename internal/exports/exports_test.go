package exports

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
)

func TestService_WritesArchive(t *testing.T) {
	t.Parallel()
	s := setup(t)
	asked := s.request()
	if again := s.request(); again.ID != asked.ID || again.Status != Queued {
		t.Errorf("a second request: got %+v, want the unfinished export %s", again, asked.ID)
	}
	s.run()
	made := s.only()
	if made.Status != Ready || made.ID != asked.ID || made.FinishedAt == nil || made.ExpiresAt == nil ||
		made.ExpiresAt.Sub(*made.FinishedAt) != Retention || made.Written != 452 {
		t.Fatalf("export: %+v, want one that is ready with 450 things and 2 photos, and kept for %v", made, Retention)
	}
	files := s.read(made)
	for name, parts := range map[string][]string{
		"account.json":            {`"id":"` + s.account + `","name":"Ada's cards"`},
		"cards.csv":               {"title\nEmber Fox\n"},
		"photos/card_1-front.jpg": {"image one"},
		"photos/card_2-front.jpg": {"image two"},
		"README.txt": {
			s.account, "account.json              1", "things.jsonl            450", "cards.csv                 1",
			"photos/                   2", "while the export was written: 1.",
		},
	} {
		for _, part := range parts {
			if !strings.Contains(files[name], part) {
				t.Errorf("%s lacks %q:\n%s", name, part, files[name])
			}
		}
	}
	var want strings.Builder
	for i := range s.lines {
		fmt.Fprintf(&want, "{\"name\":\"<%d>\",\"of\":%q}\n", i, s.account)
	}
	if diff := cmp.Diff(want.String(), files["things.jsonl"]); diff != "" {
		t.Errorf("things.jsonl (-want +got):\n%s", diff)
	}
	if len(files) != 6 {
		t.Errorf("the archive has %d files, want 6", len(files))
	}
	if got := s.files(); len(got) != 1 || got[0] != made.ID+".zip" {
		t.Errorf("stored files: %v, want the archive alone", got)
	}
}

func TestService_OpenRefuses(t *testing.T) {
	t.Parallel()
	s := setup(t)
	unfinished := s.request()
	other, err := accounts.New(s.db, clock.System).Create(t.Context(), "Eve's cards", false)
	if err != nil {
		t.Fatal(err)
	}
	refuses := func(what, account, exportID string) {
		t.Helper()
		if _, _, err := s.Service.Open(t.Context(), account, exportID); !fault.Is(err, fault.ExportNotFound) {
			t.Errorf("%s: got %v, want export_not_found", what, err)
		}
	}
	refuses("unfinished", s.account, unfinished.ID)
	refuses("no identifier", s.account, "../../etc/passwd")
	refuses("unknown", s.account, "exp_01hzy3v8k2m5n7p9q1r3s5t7v9")
	s.run()
	refuses("of another account", other.ID, unfinished.ID)
	if err := os.Remove(filepath.Join(s.dir, "exports", s.account, unfinished.ID+".zip")); err != nil {
		t.Fatal(err)
	}
	refuses("without a file", s.account, unfinished.ID)
}
