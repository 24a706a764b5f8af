package match

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPrintedSets(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]PrintedSet{
		"PCA·ENDAARKEN":             {{Code: "PCA"}},
		"M15 • EN ▸ Nils Hamm":      {{Code: "M15"}},
		"PAL EN 123/193":            {{Code: "PAL"}},
		"PALEN":                     {{Code: "PAL"}},
		"SVP EN 159":                {{Code: "PR-SV", Number: "159"}},
		"SVPEN 085 ★":               {{Code: "PR-SV", Number: "85"}},
		"G SVPan 085":               {{Code: "PR-SV", Number: "85"}},
		"SVP 085":                   {{Code: "PR-SV", Number: "85"}},
		"SVP":                       nil,
		"SVP 085/198":               nil,
		"RSVP 085":                  nil,
		"Illus. Shigenori Negishi":  nil,
		"CITIZEN OPEN Golden EN":    nil,
		"160/193":                   nil,
		"© 2016 Wizards of the":     nil,
		"LOB-EN045":                 nil,
		"MOM DE Rebecca, NEO FR 12": {{Code: "MOM"}, {Code: "NEO", Number: "12"}},
	} {
		if diff := cmp.Diff(want, PrintedSets([]string{line})); diff != "" {
			t.Errorf("PrintedSets(%q) (-want +got):\n%s", line, diff)
		}
	}
}

func TestEndsInSet(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"SVPEN": true, "Illus. PAL EN": true, "PAL EN 123/193": false, "PCA·ENDAARKEN": false, "OPEN": false, "": false,
		"SVP": true, "G SVPan": true, "RSVP": false, "SVP 085": false,
	} {
		if got := EndsInSet(line); got != want {
			t.Errorf("EndsInSet(%q): got %v, want %v", line, got, want)
		}
	}
}
