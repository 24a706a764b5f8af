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

// A flag that selects what a command works on must not be blank: the command would work on everything.
func TestRun_BlankSelections(t *testing.T) {
	t.Setenv("CARDVAULT_DATABASE_URL", "postgres://127.0.0.1:1/none")
	t.Setenv("CARDVAULT_ALLOW_PRIVATE_NETWORKS", "true")
	for flag, commands := range map[string][][]string{
		"account": {
			{"webhook", "resend", "--dropped-since", "2026-11-20T09:00:00Z", "--account", ""},
			{"webhook", "delete", "whe_1", "--account="},
			{"webhook", "list", "--account", "\u00a0"},
			{"user", "list", "--account", " "},
			{"account", "delete", "--account", ""},
		},
		"endpoint": {
			{"webhook", "resend", "--dropped-since", "2026-11-20T09:00:00Z", "--endpoint", ""},
			{"webhook", "deliveries", "--endpoint", ""},
		},
		"state":  {{"webhook", "deliveries", "--state", ""}},
		"status": {{"cards", "export", "--account", "acc_1", "--status", ""}},
	} {
		for _, args := range commands {
			var out, failures bytes.Buffer
			code := run(t.Context(), args, &out, &failures)
			want := "--" + flag + " must not be blank"
			if text := failures.String(); code != exitBadUsage || !strings.Contains(text, want) {
				t.Errorf("%q: code %d, %s; want %d, %s", args, code, text, exitBadUsage, want)
			}
		}
	}
}
