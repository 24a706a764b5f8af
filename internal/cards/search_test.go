package cards

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLookupParts(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ words, want []string }{
		"too short":          {[]string{"ex", "v", "1/9"}, nil},
		"one word":           {[]string{"ember"}, []string{"ember"}},
		"a long word":        {[]string{"counterrevolutionary"}, []string{"counterrevolut"}},
		"several words":      {[]string{"pocket", "creature", "fox"}, []string{"pocket", "creatu", "fox"}},
		"letters and others": {[]string{"charizard-gx", "100%_\\"}, []string{"charizar", "100"}},
		"not only English":   {[]string{"pokémon", "リザードン"}, []string{"pokémon", "リザードン"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			if by := lookupParts(tc.words); by != nil {
				got = by.parts
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("parts (-want +got):\n%s", diff)
			}
		})
	}
}
