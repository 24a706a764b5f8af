//go:build e2e

package e2e

import (
	"os"
	"strings"
	"testing"
)

func TestExamples_Usage(t *testing.T) {
	programs := []string{"mirror", "accounting", "repricer", "scanner"}
	s := newShop(t, programs...)
	for _, name := range programs {
		t.Run(name, func(t *testing.T) {
			help := s.command("", name, "--help")
			if text, err := help.CombinedOutput(); err != nil || !strings.HasPrefix(string(text), "usage: "+name) {
				t.Errorf("--help prints %v, %s", err, text)
			}
			if status, text := fails(t, s.command("", name, "--unknown")); status != 2 {
				t.Errorf("an unknown option: status %d, want 2: %s", status, text)
			}
			if status, text := fails(t, s.command("", name, ".")); status != 2 {
				t.Errorf("without API: status %d, want 2: %s", status, text)
			}
		})
	}
	s.token = "cv_test_wrong"
	if status, text := fails(t, s.command(os.Getenv("API"), "accounting")); status != 1 ||
		!strings.Contains(text, "invalid_token") {
		t.Errorf("with a wrong token: status %d, want 1 and invalid_token: %s", status, text)
	}
}
