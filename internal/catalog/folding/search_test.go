package folding_test

import (
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/cardvault/cardvault/internal/catalog/folding"
)

func TestForSearch(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Flabébé": "flabebe", norm.NFD.String("Flabébé"): "flabebe", "ぴかちゅう": "ピカチュウ", "ﾋﾟｶﾁｭｳ": "ピカチュウ",
		norm.NFD.String("ガ"): "ガ", "Ｐｉｋａ　１": "pika 1", "Æther": "aether", "GROẞE Straße": "grosse strasse",
		"Jötun": "jotun", "Øre Łuk Ðe Þor Œuf": "ore luk de thor oeuf", "İstanbul ılık": "istanbul ilik",
		"Farfetch’d": "farfetch'd", "Farfetch´d": "farfetch'd", "Farfetch`d": "farfetch'd", "Ho‑Oh – EX": "ho-oh - ex",
		"“Boo” „x«": `"boo" "x"`, "ΣΊΣΥΦΟΣ": "σισυφοσ", "Σίσυφος": "σισυφοσ", "Pika\u200bchu\u00ad": "pikachu",
		"½": "1/2", "☆": "☆", "": "",
	} {
		if got := folding.ForSearch(text); got != want {
			t.Errorf("ForSearch(%q) = %q, want %q", text, got, want)
		}
		if got := folding.ForSearch(want); got != want {
			t.Errorf("ForSearch(%q) = %q, want itself", want, got)
		}
	}
}

func TestJoinApostrophes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"farfetch'd": "farfetchd", "rock 'n' roll": "rock 'n' roll", "n'": "n'", "'": "'", "a''b": "a''b", "ab": "ab",
	} {
		if got := folding.JoinApostrophes(text); got != want {
			t.Errorf("JoinApostrophes(%q) = %q, want %q", text, got, want)
		}
	}
}
