package catalog

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestWords(t *testing.T) {
	t.Parallel()
	got := Words("Pokémon's Ögi draws 30 cards; DRAWS — again!")
	if want := []string{"again", "cards", "draws", "ogi", "pokemons"}; !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	if got := Words("\x00 a of 12"); len(got) != 0 {
		t.Fatalf("got %q, want nothing", got)
	}
}

func TestTextKey(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"Flabébé": "flabebe", "Erika's  Oddish": "erikas oddish",
		"Mr. Mime-GX": "mr mime gx", "HS—Undaunted": "hs undaunted", "★": ""} {
		if got := textKey(text); got != want {
			t.Errorf("textKey(%q) = %q, want %q", text, got, want)
		}
	}
}

// What ByText relies on: a word and its misspelling always meet in the table of spellings.
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
			t.Fatalf("%q and %q are one letter apart", word, typo)
		}
		if !slices.ContainsFunc(spellings(typo), func(s string) bool { return slices.Contains(spellings(word), s) }) {
			t.Fatalf("%q and %q share no spelling", word, typo)
		}
	})
}

func TestSpellings_MoreTyposDoNotMatch(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{{"same", "same"}, {"flame", "flames!"}, {"ab", "ba"}, {"abcd", "abxy"}, {"", "ab"}} {
		if oneTypoApart(pair[0], pair[1]) {
			t.Errorf("%q and %q are not one typo apart", pair[0], pair[1])
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
		t.Fatalf("got %v, want %v: rare words first, an exact word at full weight, no work past the bound", got, want)
	}
	if got := weigh([]string{"damage"}, known); len(got) != 1 {
		t.Fatalf("the only known word must be searched for, however common: %v", got)
	}
}
