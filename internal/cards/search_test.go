package cards

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPartsOf(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ words, want []string }{
		"too short":     {[]string{"ex", "v", "1/9"}, nil},
		"one word":      {[]string{"ember"}, []string{"emb", "ber"}},
		"three letters": {[]string{"fox"}, []string{"fox"}},
		"a long word":   {[]string{"counterrevolutionary"}, strings.Fields("cou nte rre vol uti ona ary")},
		"many words":    {strings.Fields("one two three four five"), strings.Fields("one two thr ree fou our fiv ive")},
		"more words": {
			strings.Fields("one two three four five six seven"), strings.Fields("one two thr fou fiv six sev"),
		},
		"letters and others": {[]string{"charizard-gx", "100%_\\"}, []string{"cha", "riz", "ard", "100"}},
		"not only English":   {[]string{"pokémon", "リザードン"}, []string{"pok", "émo", "mon", "リザー", "ードン"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, partsOf(tc.words)); diff != "" {
				t.Errorf("parts (-want +got):\n%s", diff)
			}
		})
	}
}
