package identify

import (
	"fmt"

	"github.com/cardvault/cardvault/internal/identify/judge"
	"github.com/cardvault/cardvault/internal/identify/language"
)

// unrelated is the mean distance of unrelated pictures, in bits of 512.
const unrelated = 256

// fromVerdict returns the candidate of a verdict.
func fromVerdict(v judge.Verdict, photoLanguage string) Candidate {
	picture := 0.0
	if v.Distance < unrelated {
		picture = 1 - float64(v.Distance)/unrelated
	}
	c := FromCard(v.Card, v.Probability,
		Signal{Kind: PictureSignal, Score: picture}, Signal{Kind: NameSignal, Score: v.Evidence.Name},
		Signal{Kind: NumberSignal, Score: v.Evidence.Number}, Signal{Kind: TextSignal, Score: v.Evidence.Body})
	if v.Veto != "" {
		c.Object(objection(v, photoLanguage))
	}
	return c
}

// objection returns why a candidate with a veto is not accepted, for clients.
func objection(v judge.Verdict, photoLanguage string) string {
	switch v.Veto {
	case judge.OtherLanguage:
		return otherLanguage(v.Card.Language, photoLanguage)
	case judge.OtherNumber:
		return fmt.Sprintf("The number on the photo is not %s, which the nearest card of the catalogue has.",
			v.Card.CollectorNumber())
	case judge.OtherName:
		return fmt.Sprintf("The name on the photo is not %s, which the nearest card of the catalogue has.", v.Card.Name)
	case judge.OtherText:
		return "The text on the photo is not that of the nearest card of the catalogue."
	case judge.Twins:
		return "Several printings look alike, and the number on the photo does not tell which one it is."
	case judge.OneKind:
		return "Only one of picture, name, number and text agrees with a card of the catalogue."
	case judge.UnknownLanguage:
		return "The text on the photo is not legible enough to tell its language."
	}
	return "The photo and the nearest card of the catalogue do not agree."
}

// otherLanguage names the difference between the photo and the printing.
func otherLanguage(printing, photo string) string {
	shown, counterpart := "a card in another language", "a printing in another language"
	if photo != "" {
		shown = "a " + language.Name(photo) + " card"
	}
	if printing != "" {
		counterpart = "the " + language.Name(printing) + " printing"
	}
	return fmt.Sprintf("The photo shows %s; the nearest card of the catalogue is %s.", shown, counterpart)
}
