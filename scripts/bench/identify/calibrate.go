package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/judge"
	"github.com/cardvault/cardvault/internal/identify/match"
)

// scenario says which cards the catalogue lacks.
type scenario struct {
	name string
	// without returns a round as it is without the cards, or without their pictures, that the scenario takes away.
	without func(judge.Round, truth) judge.Round
}

// scenarios are weighed alike, so half of the samples have no right card: more than among real photos, so that the
// confidence is rather too low than too high.
var scenarios = []scenario{
	{"complete catalogue", func(r judge.Round, _ truth) judge.Round { return r }},
	{"without its fingerprint", func(r judge.Round, t truth) judge.Round {
		return r.WithoutPicture(func(c catalog.Card) bool { return t.isShown(c) })
	}},
	{"without the card", func(r judge.Round, t truth) judge.Round { return r.Without(t.isShown) }},
	{"without its name", func(r judge.Round, t truth) judge.Round {
		return r.Without(func(c catalog.Card) bool { return match.BaseName(c.Name) == match.BaseName(t.name) })
	}},
}

// ablation is a part of a card that is not legible.
type ablation struct {
	name   string
	weight float64 // of its samples, relative to unchanged photos
	unread func(e *judge.Evidence)
}

// ablations stand for kinds of photos that are rare here: cards whose text, foot or name cannot be read.
var ablations = []ablation{
	{"as it is", 1, func(*judge.Evidence) {}},
	{"text not legible", 0.25, unreadText},
	{"foot not legible", 0.25, unreadFoot},
	{"name not legible", 0.25, unreadName},
	{"only the name legible", 0.25, func(e *judge.Evidence) { unreadText(e); unreadFoot(e) }},
	{"nothing legible", 0.25, func(e *judge.Evidence) { unreadText(e); unreadFoot(e); unreadName(e) }},
}

func unreadText(e *judge.Evidence) { e.Body, e.Read, e.Words = 0, 0, 0 }

func unreadFoot(e *judge.Evidence) {
	e.Number, e.SetCode, e.Illustrator, e.Year, e.OtherNumber, e.OtherYear = 0, 0, 0, 0, false, false
}

func unreadName(e *judge.Evidence) { e.Name, e.HP, e.OtherHP = 0, 0, false }

// folds is the number of parts of the cross-validation. All samples of a photo, and of all photos of its card, are in
// one.
const folds = 10

// calibrate fits the weights to the photos, prints how well weights that were fitted to other photos predict, and
// writes the file of the weights.
func (s settings) calibrate(
	ctx context.Context, providers []identify.Provider, reader identify.Reader, truths []truth,
) error {
	var samples []sample
	for _, t := range truths {
		photo, err := os.ReadFile(t.path)
		if err != nil {
			return err
		}
		s.memory.photo = filepath.Base(t.path)
		// With a part of the text, as cards are decided, and with all of it, as if the part had not decided.
		for _, s.memory.whole = range []bool{false, true} {
			fresh, err := samplesOf(ctx, providers, reader, t, photo)
			if err != nil {
				return err
			}
			for i := range fresh {
				fresh[i].whole = s.memory.whole
			}
			samples = append(samples, fresh...)
		}
	}
	if err := s.memory.save(); err != nil {
		return err
	}
	predictions := crossValidate(samples)
	printBins(predictions)
	printAccepted(predictions)
	printPhotos(predictions)
	weights := fit(samples)
	for i, name := range judge.FeatureNames {
		fmt.Printf("%-14s %6.2f\n", name, weights.Features[i])
	}
	fmt.Printf("%-14s %6.2f\n", "bias", weights.Bias)
	return writeWeights(s.calibration, weights, len(truths))
}

// samplesOf asks all providers about a photo, also after one would be accepted, and returns their decisions in each
// scenario.
func samplesOf(
	ctx context.Context, providers []identify.Provider, reader identify.Reader, t truth, photo []byte,
) (samples []sample, err error) {
	view := &identify.View{Reader: reader}
	for _, p := range providers {
		if _, err := p.Identify(ctx, identify.Photo{Bytes: photo, View: view}); err != nil {
			return nil, fmt.Errorf("%s: %w", t.path, err)
		}
	}
	for _, sc := range scenarios {
		for _, complete := range view.Rounds {
			for _, a := range ablations {
				round := sc.without(complete, t)
				round.Evidence = slices.Clone(round.Evidence)
				for i := range round.Evidence {
					a.unread(&round.Evidence[i])
				}
				samples = append(samples, sample{
					photo: filepath.Base(t.path), card: t.name + t.set + t.number, scenario: sc.name, ablation: a.name,
					round: round, features: round.Features(),
					right:  slices.IndexFunc(round.Pool, func(c judge.Candidate) bool { return t.isShown(c.Card) }),
					weight: a.weight / float64(len(view.Rounds)),
				})
			}
		}
	}
	return samples, nil
}

// prediction is the best card of a sample, with weights that were fitted to photos of other cards.
type prediction struct {
	sample
	verdict judge.Verdict
	right   bool
}

// crossValidate predicts each sample with weights that were fitted to the samples of other folds.
func crossValidate(samples []sample) []prediction {
	var predictions []prediction
	for fold := range folds {
		var train, test []sample
		for _, s := range samples {
			if foldOf(s.card) == fold {
				test = append(test, s)
			} else {
				train = append(train, s)
			}
		}
		weights := fit(train)
		for _, s := range test {
			if verdicts := judge.DecideWith(weights, s.round); len(verdicts) > 0 {
				right := s.right >= 0 && s.round.Pool[s.right].Card.ID == verdicts[0].Card.ID
				predictions = append(predictions, prediction{s, verdicts[0], right})
			}
		}
	}
	return predictions
}

func foldOf(card string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(card)) // never fails
	return int(h.Sum32() % folds)
}
