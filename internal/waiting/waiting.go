// Package waiting says why work that is not done yet waits: since when, for what reason, and when the next attempt is.
//
// A Reason is a stable code. The API and the dashboard show it with a sentence for customers. The error behind it is
// only in the log and in the operator's command. The package reads and stores nothing.
package waiting

import (
	"slices"
	"time"
)

// Reason is a stable code that says why work waits.
type Reason string

// The reasons. The queues store them, so a code keeps its meaning.
const (
	Queued         Reason = "queued"      // no attempt has begun
	InProgress     Reason = "in_progress" // the first attempt is under way
	Interrupted    Reason = "interrupted" // an attempt ended without a result, for example with its process
	Busy           Reason = "busy"
	Problem        Reason = "service_problem"
	Photo          Reason = "photo_pending"
	PhotoSource    Reason = "photo_unreachable"
	Identification Reason = "identification_unavailable"
	NotConnected   Reason = "marketplace_not_connected"
	Marketplace    Reason = "marketplace_unavailable"
	CallLimit      Reason = "marketplace_limit"
	RevisionLimit  Reason = "revision_limit"
)

// messages are the sentences for customers, by reason.
var messages = map[Reason]string{
	Queued:      "It waits for its turn.",
	InProgress:  "CardVault is working on it.",
	Interrupted: "CardVault was interrupted and will begin again.",
	Busy:        "CardVault is busy and will try again.",
	Problem: "A problem of CardVault stopped the last attempt. CardVault will try again. Ask your operator if this " +
		"lasts for more than an hour.",
	Photo: "It waits for a photo of the card.",
	PhotoSource: "The server of the photo did not send it. CardVault will try again. Check that the URL works in a " +
		"private window of your browser.",
	Identification: "The service that identifies cards did not answer. CardVault will try again.",
	NotConnected:   "Your account is not connected to the marketplace. Connect it under Settings, and it goes on.",
	Marketplace:    "The marketplace did not answer, or could not do it. CardVault will try again.",
	CallLimit:      "Your account has used the requests that the marketplace allows. It goes on when more are allowed.",
	RevisionLimit:  "The listing was changed as often today as the marketplace allows. It goes on tomorrow.",
}

// Reasons returns all reasons in alphabetical order.
func Reasons() []Reason {
	list := make([]Reason, 0, len(messages))
	for reason := range messages {
		list = append(list, reason)
	}
	slices.Sort(list)
	return list
}

// Message returns a sentence for customers.
func (r Reason) Message() string {
	if message, ok := messages[r]; ok {
		return message
	}
	return messages[Problem] // a code of a later version
}

// Waiting says why work waits.
type Waiting struct {
	Since  time.Time
	Reason Reason
	// NextAttemptAt is when the next attempt is due. It is in the past if the work waits for its turn, and nil while an
	// attempt is under way or if the end of other work decides.
	NextAttemptAt *time.Time
}

// Message returns a sentence for customers.
func (w Waiting) Message() string { return w.Reason.Message() }
