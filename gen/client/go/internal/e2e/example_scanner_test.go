//go:build e2e

package e2e

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// Two photos become listings. The card of the third is not in the catalogue, and needs a choice. Another run with the
// same folder makes no further cards.
func TestExamples_Scanner(t *testing.T) {
	s, folder := newShop(t, "scanner"), t.TempDir()
	for name, sku := range map[string]string{"1.jpg": "DEMO-001", "2.JPG": "DEMO-011", "3.jpeg": "DEMO-023"} {
		savePhoto(t, filepath.Join(folder, name), sku)
	}
	if err := os.WriteFile(filepath.Join(folder, "notes.txt"), []byte("not a photo"), 0o600); err != nil {
		t.Fatal(err)
	}
	printed := s.run("scanner", "--publish", folder)
	for _, want := range []string{
		", Lanternfin Otter, 0.25 USD, listed\n", ", Ashquill Scribe, 0.15 USD, listed\n", "3.jpeg needs review: card_",
		", not identified, no price, needs_review\n",
	} {
		if !strings.Contains(printed, want) {
			t.Errorf("the program prints\n%swant %q", printed, want)
		}
	}
	choice := regexp.MustCompile(`(?m)^  1  (.+), `).FindStringSubmatch(printed)
	if choice == nil {
		t.Fatalf("the program prints\n%swant a candidate with the number 1", printed)
	}
	printed = s.run("scanner", "--publish", "--take", "1", folder)
	if !regexp.MustCompile(`(?m)^3\.jpeg: .+, ` + choice[1] + `, .+, listed$`).MatchString(printed) {
		t.Errorf("with --take 1 the program prints\n%swant 3.jpeg listed as %s", printed, choice[1])
	}
	if err := os.Remove(filepath.Join(folder, "cards.json")); err != nil { // as a crash before it is written does
		t.Fatal(err)
	}
	s.run("scanner", folder)
	cards, err := s.ListCards(t.Context(), nil)
	if err != nil || len(cards.Data) != 3 {
		t.Errorf("the account has %d cards, %v, want one for each photo", len(cards.Data), err)
	}
	if err := os.WriteFile(filepath.Join(folder, "4.png"), []byte("not a photo"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := s.command(os.Getenv("API"), "scanner", folder)
	if status, text := fails(t, broken); status != 1 || !strings.Contains(text, "4.png: ") {
		t.Errorf("a file that is not a photo: status %d, %s", status, text)
	}
	empty := s.command(os.Getenv("API"), "scanner", t.TempDir())
	if status, text := fails(t, empty); status != 1 || !strings.Contains(text, "has no photos") {
		t.Errorf("an empty folder: status %d, %s", status, text)
	}
}

// savePhoto saves the photo of the front of a card of the demo.
func savePhoto(t *testing.T, path, sku string) {
	t.Helper()
	page, err := newClient(t).ListCards(t.Context(), &cardvault.ListCardsParams{SKU: sku})
	if err != nil || len(page.Data) != 1 {
		t.Fatalf("the demo has %d cards with the SKU %s, %v", len(page.Data), sku, err)
	}
	response, err := http.Get(*page.Data[0].Photos[0].URL)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	photo, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, photo, 0o600); err != nil {
		t.Fatal(err)
	}
}
