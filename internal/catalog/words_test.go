package catalog

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWords(t *testing.T) {
	t.Parallel()
	got := Words("Pokémon's Ögi draws 30 cards; DRAWS — again!")
	if diff := cmp.Diff([]string{"again", "cards", "draws", "ogi", "pokemons"}, got); diff != "" {
		t.Errorf("Words (-want +got):\n%s", diff)
	}
	if got := Words("\x00 a of 12"); len(got) != 0 {
		t.Errorf("Words of a text without words: got %q, want none", got)
	}
}

func TestTextKey(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Flabébé": "flabebe", "Erika's  Oddish": "erikas oddish", "Mr. Mime-GX": "mr mime gx",
		"HS—Undaunted": "hs undaunted", "★": "",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := textKey(text); got != want {
				t.Errorf("textKey: got %q, want %q", got, want)
			}
		})
	}
}

// ByText relies on it that a word and the word with a typo share a spelling.
func TestSpellings_OneTypoMatches(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-e]{6,9}`).Draw(t, "word")
		at := rapid.IntRange(0, len(word)-1).Draw(t, "at")
		letter := rapid.StringMatching(`[a-e]?`).Draw(t, "letter")
		typo := word[:at] + letter + word[at+1:]
		if rapid.Bool().Draw(t, "added") {
			typo = word[:at] + letter + word[at:]
		}
		if typo == word {
			return
		}
		if !oneTypoApart(word, typo) || !oneTypoApart(typo, word) {
			t.Fatalf("oneTypoApart(%q, %q): got false, want true", word, typo)
		}
		known := spellings(word)
		if !slices.ContainsFunc(spellings(typo), func(s string) bool { return slices.Contains(known, s) }) {
			t.Fatalf("spellings: %q and %q share none, want one", word, typo)
		}
	})
}

func TestOneTypoApart_False(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"same", "same"}, {"flame", "flames!"}, {"ab", "ba"}, {"abcd", "abxy"}, {"", "ab"},
	} {
		if oneTypoApart(pair[0], pair[1]) {
			t.Errorf("oneTypoApart(%q, %q): got true, want false", pair[0], pair[1])
		}
	}
}

func TestWeigh_PrefersExactAndRareWords(t *testing.T) {
	t.Parallel()
	known := map[string]term{
		"damage":  {"damage", 1, maxPostings},
		"inferno": {"inferno", 8, 3},
		"zapper":  {"zapper", 9, 2},
	}
	got := weigh([]string{"damage", "inferno", "infern", "zappar"}, known)
	want := []term{{"zapper", 9 * typoWeight, 2}, {"inferno", 8, 3}}
	if !slices.Equal(got, want) {
		t.Fatalf("weigh: got %v, want %v: rare words first, exact words with full weight, no more", got, want)
	}
	if got := weigh([]string{"damage"}, known); len(got) != 1 {
		t.Fatalf("weigh of one frequent word: got %v, want the word", got)
	}
}
