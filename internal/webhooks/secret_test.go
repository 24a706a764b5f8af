package webhooks

import (
	"regexp"
	"testing"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestNewSecret(t *testing.T) {
	t.Parallel()
	a, b := newSecret(), newSecret()
	if form := regexp.MustCompile(`^whsec_[A-Za-z0-9_-]{43}$`); !form.MatchString(a) || a == b {
		t.Fatalf("%q, %q", a, b)
	}
}
