package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// The message about a wrong setting names cardvault help, which must run with the same settings.
func TestRun_HelpWithWrongSettings(t *testing.T) {
	t.Setenv("CARDVAULT_SECRET_KEY_FILE", filepath.Join(t.TempDir(), "missing"))
	t.Setenv("CARDVAULT_RATE_LIMITS", "many")
	for _, tc := range []struct {
		args string
		code int
		want string
	}{
		{"help", exitDone, "Usage: cardvault <command>"},
		{"help serve", exitDone, "Usage: cardvault serve"},
		{"version", exitDone, "API v1"},
		{"version --bogus", exitBadUsage, "unknown flag --bogus"},
		{"help bogus", exitBadUsage, "there is no command bogus"},
		{"account list", exitBadUsage, "see cardvault help"},
	} {
		var out, failures bytes.Buffer
		code := run(t.Context(), strings.Fields(tc.args), &out, &failures)
		if text := out.String() + failures.String(); code != tc.code || !strings.Contains(text, tc.want) {
			t.Errorf("cardvault %s: code %d, %q; want %d, %q", tc.args, code, text, tc.code, tc.want)
		}
	}
}
