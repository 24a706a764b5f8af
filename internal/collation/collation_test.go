package collation_test

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/collation"
)

func TestKey(t *testing.T) {
	t.Parallel()
	want := []string{
		"", " x", "#5", "0", "0 a", "1", "1 a", "2", "9", "10", "12345678", "123456789", "1234567890",
		"99999999999999999999",
		"abra", "Abra", "ábra", "Ábra", "abra 2", "ábra 2", "abra 10", "Box 2", "Box 10", "Box 10 b",
		"flabebe", "Flabébé",
		"Flabébé 2",
		"Zebra", "Ωmega", "ピカチュウ", "火",
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortStableFunc(got, collation.Compare)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
}

func TestKey_EqualTexts(t *testing.T) {
	t.Parallel()
	for _, texts := range [][2]string{
		{"Flabébé", norm.NFD.String("Flabébé")}, {"Box 2", "Box 02"}, {"がるる", norm.NFD.String("がるる")}, {"0", "000"},
	} {
		if collation.Compare(texts[0], texts[1]) != 0 {
			t.Errorf("%q and %q are not equal", texts[0], texts[1])
		}
	}
}

func TestPathKey(t *testing.T) {
	t.Parallel()
	want := []string{
		"", "2", "10", "A//1", "A/1", "box 2/Row 9", "Box 2", "Box 2/Row 1", "Box 2/Row 1/9", "Box 2/Row 1/10",
		"Box 2/Row 2",
		"Box 2 b/Row 1", "Box 10/Row 1", "Case A", "case b", "Größe/1",
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortStableFunc(got, func(a, b string) int {
		return bytes.Compare(collation.PathKey(a), collation.PathKey(b))
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("locations (-want +got):\n%s", diff)
	}
}

// Keys of texts without numbers compare as package collate compares the texts.
func TestKey_IsRootCollation(t *testing.T) {
	t.Parallel()
	root := collate.New(language.Und)
	text := rapid.StringOfN(rapid.OneOf(
		rapid.RuneFrom([]rune("aAbáÁäÄ\u0301\u0308 -/'ßæ")), rapid.RuneFrom([]rune("かガカｶピ゛火가각")), rapid.Rune(),
	), 0, 12, -1).Filter(func(s string) bool { return !strings.ContainsFunc(s, unicode.IsDigit) })
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		want := bytes.Compare(root.KeyFromString(&collate.Buffer{}, a), root.KeyFromString(&collate.Buffer{}, b))
		if got := collation.Compare(a, b); got != want {
			t.Errorf("Compare(%q, %q) = %d, want %d", a, b, got, want)
		}
	})
}

func TestKey_NumbersByValue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Uint32().Draw(t, "a"), rapid.Uint32().Draw(t, "b")
		zeros := strings.Repeat("0", rapid.IntRange(0, 3).Draw(t, "zeros"))
		rest := rapid.SampledFrom([]string{"", "/1", " x", "a", "é"}).Draw(t, "rest")
		x, y := "Box "+zeros+strconv.FormatUint(uint64(a), 10)+rest, "Box "+strconv.FormatUint(uint64(b), 10)+"z"
		if a != b && (collation.Compare(x, y) < 0) != (a < b) {
			t.Errorf("Compare(%q, %q) = %d", x, y, collation.Compare(x, y))
		}
	})
}

// Every character is after the bytes that separate the parts of a key, so that a text is before longer ones.
func TestKey_PrefixesFirst(t *testing.T) {
	t.Parallel()
	for r := range unicode.MaxRune {
		if r == '/' { // ends a part of a path
			continue
		}
		if longer := "b" + string(r) + "b"; collation.Compare("b", longer) > 0 {
			t.Fatalf("%q is before b", longer)
		}
		below, beside := "b/x", "b"+string(r)+"/x"
		if bytes.Compare(collation.PathKey(below), collation.PathKey(beside)) > 0 {
			t.Fatalf("%q is before %s", beside, below)
		}
	}
}

func TestKey_IsBounded(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("é", 5000), strings.Repeat("1/", 5000), strings.Repeat("9", 5000)} {
		if n := len(collation.Key(text)); n > collation.MaxKey {
			t.Errorf("a key has %d bytes", n)
		}
		if n := len(collation.PathKey(text)); n > collation.MaxKey {
			t.Errorf("a key of a path has %d bytes", n)
		}
	}
}

// Stored keys must be computed again, as those of a new version, if this fails.
func TestKey_IsStable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Flabébé 12": "1884191117ef1805184c1805184c030916e816e716e801fa0032fd003201ff08",
		"ピカチュウ":      "34d634c134cc34e034bd01fe012901ff11fe11ff11ff0fff11",
		"ｶﾞ 火 ß Æ":   "34c1030983706b030919f319f3030917ef184c01fe0128fb0139fc013901ff12ff12fc04ff04ff04fe0aff04ff0a",
	} {
		if got := hex.EncodeToString(collation.Key(text)); got != want {
			t.Errorf("Key(%q) = %s, want %s", text, got, want)
		}
	}
	const path = "180519711a7b030916e716e80101ff080019bd19711a71030916e816e716e60101ff0800"
	if got, want := hex.EncodeToString(collation.PathKey("Box 2/Row 10")), path; got != want {
		t.Errorf("PathKey = %s, want %s", got, want)
	}
}

func BenchmarkKey(b *testing.B) {
	for b.Loop() {
		collation.Key("Charizard ex – Obsidian Flames 125/197")
	}
}
