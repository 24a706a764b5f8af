package identify

import (
	"context"
	"image"
	"slices"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/cardtext"
	"github.com/cardvault/cardvault/internal/identify/judge"
	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// View is the state that the providers of one identification share about the photo, so that it is decoded and read
// once, and a provider builds on the results of the providers before it. The chain makes one for each photo and asks
// its providers one after the other, so a View needs no lock.
type View struct {
	// Text is the text so far. Look is the last look at the text with the models, or nil, and Earlier the text before
	// it.
	Text, Earlier cardtext.Text
	Look          *Look
	// Hash is the fingerprint of the card, or nil if none was found that resembles a card of the catalogue.
	Hash *[64]byte
	// Pool are the cards that were considered so far, each once.
	Pool []judge.Candidate
	// Rounds are the decisions so far, for calibration.
	Rounds []judge.Round

	// Reader computes on the photo; nil means that this process does, and that no models read text.
	Reader Reader

	survey  *vision.Survey
	picture *image.RGBA
}

// Look is a search for lines of text on the photo or a part of it.
type Look struct {
	Area vision.Area
	// Lines are the lines of text. Some may not have been read yet.
	Lines []ppocr.Line
	// IsClose is whether Area is the part with the text, so that the text is larger.
	IsClose bool
}

// Shared returns the view of the photo, or a new one outside a chain.
func (p Photo) Shared() *View {
	if p.View == nil {
		return &View{}
	}
	return p.View
}

// Add adds cards to the pool, each once.
func (v *View) Add(cards ...catalog.Card) {
	for _, card := range cards {
		if !slices.ContainsFunc(v.Pool, func(c judge.Candidate) bool { return c.Card.ID == card.ID }) {
			v.Pool = append(v.Pool, judge.Candidate{Card: card, Distance: judge.NoPicture})
		}
	}
}

// Compare sets the distances of the cards that were added without one, if the photo's fingerprint is known.
func (v *View) Compare(
	ctx context.Context, distances func(ctx context.Context, hash [64]byte, ids []string) (map[string]int, error),
) error {
	if v.Hash == nil {
		return nil
	}
	var ids []string
	for _, c := range v.Pool {
		if c.Distance == judge.NoPicture {
			ids = append(ids, c.Card.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	distancesByID, err := distances(ctx, *v.Hash, ids)
	if err != nil {
		return err
	}
	for i, c := range v.Pool {
		if d, ok := distancesByID[c.Card.ID]; ok {
			v.Pool[i].Distance = d
		}
	}
	return nil
}

// Judge decides which card of the pool the photo shows, by everything that is known about it.
func (v *View) Judge(hints catalog.Hints) (judge.Round, []judge.Verdict) {
	round := judge.Weigh(slices.Clone(v.Pool), v.Text, hints)
	return round, judge.Decide(round)
}

// Conclude ends the work of a provider: it returns at most MaxCandidates candidates for verdicts, best first. If the
// best one is a printing in another language than the photo's, such printings are offered in the language of the
// photo, because that is the card that the owner has.
func (v *View) Conclude(round judge.Round, verdicts []judge.Verdict) []Candidate {
	v.Rounds = append(v.Rounds, round)
	tag := round.Language.Tag
	relabel := tag != "" && len(verdicts) > 0 && verdicts[0].Veto == judge.OtherLanguage
	out := make([]Candidate, 0, MaxCandidates)
	for _, verdict := range verdicts[:min(MaxCandidates, len(verdicts))] {
		c := fromVerdict(verdict, tag)
		if relabel && verdict.Veto == judge.OtherLanguage {
			c.Language = &tag
		}
		out = append(out, c)
	}
	return out
}
