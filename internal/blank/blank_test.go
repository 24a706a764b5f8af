package blank

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/openapi"
)

func TestIs(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty": "", "spaces": "  ", "tab and line breaks": "\t\r\n\v\f", "next line": "\u0085", "no-break": "\u00a0",
		"ideographic": "\u3000", "narrow no-break": "\u202f", "em space": "\u2003", "ogham": "\u1680",
		"line and paragraph separator": "\u2028\u2029", "zero width": "\u200b\u200c\u200d\u2060\ufeff",
		"directions": "\u200e\u200f\u202a\u2066\u2069\u061c", "soft hyphen": "\u00ad", "joiner": "\u034f",
		"Hangul fillers": "\u115f\u1160\u3164\uffa0", "variation selectors": "\ufe0f\U000e0100",
		"tags": "\U000e0001\U000e0020", "Mongolian": "\u180b\u180e", "Khmer": "\u17b4\u17b5", "braille": "\u2800",
		"control characters": "\x00\x1b\x7f\u009f", "mixed": " \u00a0\u200b\u3000",
	} {
		if !Is(text) {
			t.Errorf("%s: Is(%q) = false, want true", name, text)
		}
	}
	for _, text := range []string{
		"a", " a ", "\u200ba", "。", "ー", "\u0301", "💎", "❤\ufe0f", "\u0600", "\ufffc", "\ufffd", "_", "%", "\xff",
	} {
		if Is(text) {
			t.Errorf("Is(%q) = true, want false", text)
		}
	}
}

func TestTrim(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" a b ": "a b", "\u00a0\u3000a\u2028\u0085\n": "a", "\ufeffa\u200b\u2060": "a", "❤\ufe0f ": "❤\ufe0f",
		"می\u200c": "می\u200c", "": "", "\u2003": "",
	} {
		if got := Trim(text); got != want {
			t.Errorf("Trim(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	want := []string{"a", "b", "c", "d", "e", "f", "g", "", "h"}
	if diff := cmp.Diff(want, Lines("a\r\nb\nc\rd\ve\ff\u0085g\u2028\u2029h")); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	for _, text := range []string{"", "a", "a\u00a0b\u200b"} {
		if !IsLine(text) {
			t.Errorf("IsLine(%q) = false", text)
		}
	}
	for _, text := range []string{"a\n", "\x1b", "a\u0085", "\u2028", "\u2029b", "\v", "\f", "\x7f", "\xff"} {
		if IsLine(text) {
			t.Errorf("IsLine(%q) = true", text)
		}
	}
}

// TestRune_ContractPattern holds that the contract refuses the same characters.
func TestRune_ContractPattern(t *testing.T) {
	t.Parallel()
	found := regexp.MustCompile(`&visible_line '\^(.*?)'`).FindStringSubmatch(string(openapi.V1))
	if found == nil {
		t.Fatal("openapi/v1.yaml has no pattern visible_line")
	}
	goPattern := regexp.MustCompile(`\\u([0-9A-F]{4})`).ReplaceAllString("^"+found[1], `\x{$1}`)
	visible := regexp.MustCompile(goPattern)
	var differ []string
	for r := rune(0x20); r <= 0xffff; r++ {
		if r >= 0xd800 && r <= 0xdfff || r == 0x7f { // surrogates are no text; control characters are refused anyway
			continue
		}
		if visible.MatchString(string(r)) == Rune(r) {
			differ = append(differ, fmt.Sprintf("%U", r))
		}
	}
	if differ != nil {
		t.Errorf("the pattern of the contract and blank.Rune differ in %s", strings.Join(differ, " "))
	}
}
