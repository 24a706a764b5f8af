package cardpage

import (
	"context"
	"encoding/json"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
)

// keyReview is the key of the session's reviewState, as JSON.
const keyReview = "review"

// maxUndo is the number of reviews that can be undone, one after another.
const maxUndo = 10

// reviewState is what a session keeps of the reviews of an account. Its size is bounded by maxUndo and the lengths of a
// card's texts.
type reviewState struct {
	Account string
	reviewChoice
	Taken []takenCard // oldest first
}

// reviewChoice is what a person chose for the cards of a pile, which stays until it is changed. "" changes nothing.
type reviewChoice struct{ Condition, Language, Location string }

// form returns the form with the choice.
func (c reviewChoice) form() *form.Form {
	return form.New(
		form.Field{Name: "condition", Path: "identification.condition", Kind: form.Choice, Value: c.Condition},
		form.Field{Name: "language", Path: "identification.language", Value: c.Language},
		form.Field{Name: "location", Value: c.Location},
	)
}

// patch returns the change that gives a card the choice.
func (c reviewChoice) patch() (p cards.Patch) {
	if c.Condition != "" {
		p.Condition = cards.Set(c.Condition)
	}
	if c.Language != "" {
		p.Language = cards.Set(c.Language)
	}
	if c.Location != "" {
		p.Location = cards.Set(c.Location)
	}
	return p
}

// addTo gives the change that identifies a card the choice.
func (c reviewChoice) addTo(identified *cards.Patch) {
	choice := c.patch()
	identified.Condition, identified.Location = choice.Condition, choice.Location
	if c.Language != "" {
		identified.Language = choice.Language
	}
}

// takenCard is a review that can be undone.
type takenCard struct {
	CardID  string
	Title   string
	Version int64 // after the review
	Before  cards.Reviewed
}

// add adds a review. It drops the oldest one if there are too many.
func (s *reviewState) add(t takenCard) {
	s.Taken = append(s.Taken, t)
	s.Taken = s.Taken[max(0, len(s.Taken)-maxUndo):]
}

// take removes the last review, or returns false if there is none.
func (s *reviewState) take() (last takenCard, ok bool) {
	if len(s.Taken) == 0 {
		return takenCard{}, false
	}
	last = s.Taken[len(s.Taken)-1]
	s.Taken = s.Taken[:len(s.Taken)-1]
	return last, true
}

// reviewState returns what the session keeps for the account. It keeps the reviews of one account at a time.
func (h *Handlers) reviewState(ctx context.Context, accountID string) reviewState {
	var s reviewState
	err := json.Unmarshal([]byte(h.Sessions.GetString(ctx, keyReview)), &s)
	if err != nil || s.Account != accountID { // an error is an empty state, or that of an earlier release
		return reviewState{Account: accountID}
	}
	return s
}

// keepReview stores the state in the session.
func (h *Handlers) keepReview(ctx context.Context, s reviewState) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	h.Sessions.Put(ctx, keyReview, string(text))
	return nil
}
