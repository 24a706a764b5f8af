package cardsight

import (
	"fmt"
	"strconv"

	"github.com/cardvault/cardvault/internal/identify/providers/remote"
)

// identification is the response of POST /v1/identify/card. Other fields are ignored.
type identification struct {
	Success    bool        `json:"success"`
	Detections []detection `json:"detections"`
}

// detection is a card that CardSight sees. Card is empty if it does not know the card, and has no identifier if it
// knows the set only.
type detection struct {
	Confidence string `json:"confidence"`
	Card       struct {
		ID          string     `json:"id"`
		Year        string     `json:"year"`
		ReleaseName string     `json:"releaseName"`
		SetName     string     `json:"setName"`
		Name        string     `json:"name"`
		Number      string     `json:"number"`
		Parallel    *named     `json:"parallel"`
		Fields      []field    `json:"fields"`
		Suggestions []struct{} `json:"suggestions"` // reprints that match as well
	} `json:"card"`
	Grading *struct {
		Company named `json:"company"`
		Grade   *struct {
			Value string `json:"value"`
		} `json:"grade"`
	} `json:"grading"`
}

type named struct {
	Name string `json:"name"`
}

type field struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// bands are the lower bounds of CardSight's bands of confidence.
var bands = map[string]float64{"High": 0.90, "Medium": 0.75, "Low": 0.50}

// answers returns the cards of a game that CardSight has identified.
func (i identification) answers(game string) ([]remote.Answer, error) {
	if !i.Success {
		return nil, fmt.Errorf("%w: it is not successful", remote.ErrBadAnswer)
	}
	var answers []remote.Answer
	for _, d := range i.Detections {
		a, err := d.answer(game)
		if err != nil {
			return nil, err
		}
		if a.Title == "" {
			continue
		}
		// A photo of several cards does not show one card of the owner's.
		a.Doubtful = a.Doubtful || len(i.Detections) > 1
		answers = append(answers, a)
	}
	return answers, nil
}

// answer returns the answer for a detection.
func (d detection) answer(game string) (remote.Answer, error) {
	confidence, ok := bands[d.Confidence]
	if !ok {
		return remote.Answer{}, fmt.Errorf("%w: confidence is unknown", remote.ErrBadAnswer)
	}
	a := remote.Answer{
		Title: d.Card.Name, Set: d.Card.SetName, Release: d.Card.ReleaseName, Number: d.Card.Number, Game: game,
		Confidence: confidence,
		Doubtful:   d.Card.ID == "" || len(d.Card.Suggestions) > 0,
	}
	a.Year, _ = strconv.Atoi(d.Card.Year) // 0 for a season such as 2023-24
	for _, f := range d.Card.Fields {
		if f.Key == languageField {
			a.Language = f.Value
		}
	}
	if d.Card.Parallel != nil {
		a.Variant = d.Card.Parallel.Name
	}
	if d.Grading != nil {
		a.Grader = d.Grading.Company.Name
		if d.Grading.Grade != nil {
			a.Grade = d.Grading.Grade.Value
		}
	}
	return a, a.Check()
}

// languageField is the field with the language of the scanned card, as an ISO 639-1 code.
const languageField = "CARD_LANGUAGE"
