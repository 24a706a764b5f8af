package folding

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Flabébé": "flabebe", "Erika’s": "erikas", "ＡＢＣ１２": "abc12", "ﬁre": "fire",
		"ピカチュウ": "ピカチュウ", "ﾋﾟｶﾁｭｳ": "ピカチュウ", "ぴかちゅう": "ピカチュウ", "ガ": "ガ", "か\u3099": "ガ",
		"ヴ": "ヴ", "피카": "\u1111\u1175\u110f\u1161", "皮卡丘": "皮卡丘", "リザードンＥＸ": "リザードンex", "\u3099a": "a", "": "",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := Fold(text); got != want {
				t.Errorf("Fold: got %q, want %q", got, want)
			}
		})
	}
}

func TestFold_IsStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("aÄé'ガパﾊﾟば゙ー한글皮Ｚ 9"))).Draw(t, "text")
		if folded := Fold(text); Fold(folded) != folded {
			t.Fatalf("Fold(%q): got %q, whose fold is %q, want the same", text, folded, Fold(folded))
		}
	})
}

func TestWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"mr. mime-gx": {"mr", "mime", "gx"}, "リザードンex": {"リザードン", "ex"}, "ポケモン151": {"ポケモン", "151"},
		"exリザードン・ex": {"ex", "リザードン", "ex"}, "★": nil,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := Words(text); !slices.Equal(got, want) {
				t.Errorf("Words: got %q, want %q", got, want)
			}
		})
	}
}
