package identify

import (
	"testing"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/judge"
)

func TestChain_Accepts(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		candidate Candidate
		want      bool
	}{
		"at the threshold":    {Candidate{Confidence: 0.85}, true},
		"below the threshold": {Candidate{Confidence: 0.8499}, false},
		"objection":           {Candidate{Confidence: 1, Objection: "Another language."}, false},
		"unconfirmed":         {Candidate{Confidence: 1, Unconfirmed: true}, false},
	} {
		if got := (Chain{Threshold: 0.85}).accepts(tc.candidate); got != tc.want {
			t.Errorf("%s: accepts: got %v, want %v", name, got, tc.want)
		}
	}
}

// A card with a veto is not accepted whatever the threshold, and its confidence stays below the default threshold.
func TestFromVerdict_Veto(t *testing.T) {
	t.Parallel()
	for _, veto := range []judge.Veto{
		judge.OtherLanguage, judge.OtherNumber, judge.OtherName, judge.OtherText, judge.Twins, judge.OneKind,
		judge.UnknownLanguage, "a new one",
	} {
		verdict := judge.Verdict{Probability: 0.99, Veto: veto}
		verdict.Card = catalog.Card{ID: "p1", Name: "Ember Fox"}
		got := fromVerdict(verdict, "en")
		if got.Objection == "" || got.Confidence > 0.6 || (Chain{}).accepts(got) {
			t.Errorf("%s: got objection %q and confidence %v", veto, got.Objection, got.Confidence)
		}
	}
	got := fromVerdict(judge.Verdict{Probability: 0.99}, "en")
	if got.Objection != "" || got.Confidence != 0.99 {
		t.Errorf("without a veto: got objection %q and confidence %v", got.Objection, got.Confidence)
	}
}

// Clients never see a confidence at the threshold for a card that the catalogue does not confirm, even if the
// operator's threshold is low.
func TestCandidate_Unconfirm(t *testing.T) {
	t.Parallel()
	for _, threshold := range []float64{1, 0.85, 0.5, 0.01} {
		c := Candidate{Confidence: 0.95}
		c.Unconfirm(threshold)
		if !c.Unconfirmed || c.Confidence >= threshold || c.Confidence > 0.5 || c.Confidence <= 0 {
			t.Errorf("threshold %v: got %+v", threshold, c)
		}
		if c.Confidence = 0.003; (Chain{Threshold: c.Confidence}).accepts(c) {
			t.Errorf("threshold %v: a candidate without confirmation is accepted", threshold)
		}
	}
	low := Candidate{Confidence: 0.1}
	if low.Unconfirm(0.85); low.Confidence != 0.1 {
		t.Errorf("confidence: got %v, want 0.1, which is below the limit", low.Confidence)
	}
}
