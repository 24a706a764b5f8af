package identify_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/slab"
)

// labelReader is a provider that reads the label of a slab.
type labelReader struct{ grade *cards.Grade }

func (labelReader) Name() string { return "ocr" }

func (labelReader) Identify(context.Context, identify.Photo) ([]identify.Candidate, error) {
	return nil, nil
}

func (r labelReader) Read(context.Context, identify.Photo) ([]identify.Candidate, identify.Reading, error) {
	return []identify.Candidate{{Title: "Ember Fox", Confidence: 1}}, identify.Reading{Grade: r.grade}, nil
}

// A card gets the grade on the label of its slab, unless it has one, which may be the owner's.
func TestService_SavesGrade(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cert := "00123456"
	read, own := &cards.Grade{Company: "PSA", Value: "10", CertNumber: &cert}, &cards.Grade{Company: "BGS", Value: "9"}
	for name, tc := range map[string]struct{ own, read, want *cards.Grade }{
		"none before":     {nil, read, read},
		"of the owner":    {own, read, own},
		"no label":        {nil, nil, nil},
		"no label, owner": {own, nil, own},
	} {
		chain := identify.Chain{
			Threshold: 0.85, Timeout: time.Minute, Providers: []identify.Provider{labelReader{tc.read}},
		}
		service := identify.New(w.db, clock.System, chain, chain, w.accounts, w.cards, w, w.queues.Identifications)
		card := w.waiting()
		if tc.own != nil {
			patch := cards.Patch{Grade: cards.Set(*tc.own)}
			if _, err := w.cards.Update(t.Context(), w.account, card.ID, patch, nil); err != nil {
				t.Fatal(err)
			}
		}
		outcome, _, err := service.Card(t.Context(), w.account, card.ID, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, w.get(card.ID).Identification.Grade); diff != "" {
			t.Errorf("%s: grade of the card (-want +got):\n%s", name, diff)
		}
		saved, err := service.Candidates(t.Context(), w.account, card.ID)
		if err != nil {
			t.Fatal(err)
		}
		got := []*cards.Grade{outcome.Grade(), saved.Grade()}
		if diff := cmp.Diff([]*cards.Grade{tc.read, tc.read}, got); diff != "" {
			t.Errorf("%s: grade of the outcome and of the candidates (-want +got):\n%s", name, diff)
		}
	}
}

// firstReader is a provider that accepts a card and shares the text that it read, as fingerprint does.
type firstReader struct{ label slab.Label }

func (firstReader) Name() string { return "fingerprint" }

func (r firstReader) Identify(_ context.Context, photo identify.Photo) ([]identify.Candidate, error) {
	photo.View.Text.Slab = &r.label
	return []identify.Candidate{{Title: "Ember Fox", Confidence: 1}}, nil
}

// The grade is known also if the provider that reads text was not asked.
func TestChain_GradeOfSharedText(t *testing.T) {
	t.Parallel()
	read := cards.Grade{Company: "PSA", Value: "10"}
	chain := identify.Chain{
		Threshold: 0.85, Timeout: time.Minute,
		Providers: []identify.Provider{firstReader{slab.Label{Grade: read}}, labelReader{nil}},
	}
	out, err := chain.Run(t.Context(), identify.Photo{})
	if err != nil || out.Accepted == nil || len(out.Attempts) != 1 {
		t.Fatalf("Run: got %+v, %v, want the card of the first provider", out, err)
	}
	if diff := cmp.Diff(&read, out.Grade()); diff != "" {
		t.Errorf("grade (-want +got):\n%s", diff)
	}
}
