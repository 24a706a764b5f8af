package v1

import (
	"testing"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/identify"
)

// The grade on the label belongs to the photo, so each candidate has it.
func TestOutcomeOut_Grade(t *testing.T) {
	t.Parallel()
	cert := "00123456"
	read := identify.Reading{Grade: &cards.Grade{Company: "PSA", Value: "10", CertNumber: &cert}}
	found := []identify.Found{{Candidate: identify.Candidate{Title: "Ember Fox"}}, {}}
	out := outcomeOut(identify.Outcome{
		Accepted: &found[0], Candidates: found,
		Attempts: []identify.Attempt{{Provider: "fingerprint"}, {Reading: &read}},
	})
	for i, result := range append(out.Candidates, *out.Result) {
		if g := result.Grade; g == nil || g.Company != "PSA" || g.Value != "10" || *g.CertNumber != cert {
			t.Errorf("grade of result %d: got %+v, want PSA 10 with %s", i, result.Grade, cert)
		}
	}
	if out := outcomeOut(identify.Outcome{Candidates: found}); out.Candidates[0].Grade != nil {
		t.Errorf("grade without a label: got %+v, want none", out.Candidates[0].Grade)
	}
}
