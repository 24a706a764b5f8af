package remote

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/identify"
)

func TestAnswer_Reading(t *testing.T) {
	t.Parallel()
	cert := "00123456"
	for name, tc := range map[string]struct {
		answer Answer
		want   identify.Reading
	}{
		"raw card": {
			Answer{Title: "Ember Fox", Number: "008", PrintedTotal: 193},
			identify.Reading{Name: "Ember Fox", Number: "008/193"},
		},
		"slab": {
			Answer{Title: "Ember Fox", Grader: "PSA", Grade: "10", Certificate: cert},
			identify.Reading{Name: "Ember Fox", Grade: &cards.Grade{Company: "PSA", Value: "10", CertNumber: &cert}},
		},
		"without a certificate": {
			Answer{Grader: "PSA", Grade: "10", Certificate: strings.Repeat("1", 31)},
			identify.Reading{Grade: &cards.Grade{Company: "PSA", Value: "10"}},
		},
		"long": {
			Answer{Title: strings.Repeat("é", 61), Grader: "PSA", Grade: "in mint condition"},
			identify.Reading{Name: strings.Repeat("é", 60)},
		},
	} {
		if diff := cmp.Diff(tc.want, tc.answer.reading()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
