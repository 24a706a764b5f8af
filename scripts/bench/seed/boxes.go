package main

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"time"

	"github.com/cardvault/cardvault/internal/id"
)

const (
	boxSize = 200                      // cards of one import, which is one batch
	span    = 2 * 365 * 24 * time.Hour // over which the boxes came
	cardGap = 20 * time.Millisecond    // between two cards of an import
)

// box is one import of an account.
type box struct {
	accountID, batchID string
	number             int
	at                 time.Time
}

// boxes are all imports in the order of time.
type boxes []box

// newBoxes spreads the imports evenly over the span that ended a day ago, the owners in turn.
func newBoxes(owners []string) boxes {
	all := make(boxes, cardCount/boxSize)
	start := time.Now().UTC().Truncate(time.Microsecond).Add(-span - 24*time.Hour)
	for i := range all {
		at := start.Add(span / time.Duration(len(all)) * time.Duration(i))
		all[i] = box{accountID: owners[i%len(owners)], batchID: id.New(id.Batch, at), number: i/len(owners) + 1, at: at}
	}
	return all
}

var batchColumns = []string{"account_id", "id", "name", "status", "card_count", "version", "created_at", "updated_at"}

func (all boxes) batches() iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, b := range all {
			if !yield([]any{b.accountID, b.batchID, fmt.Sprintf("Box %d", b.number), "open", boxSize, 1, b.at, b.at}) {
				return
			}
		}
	}
}

// cards draws the cards of every box. The same program draws the same cards, but for identifiers
// and times.
func (all boxes) cards() iter.Seq[[]any] {
	random := rand.New(rand.NewPCG(1, 2))
	return func(yield func([]any) bool) {
		for _, b := range all {
			for i := range boxSize {
				if !yield(drawCard(random, b, i)) {
					return
				}
			}
		}
	}
}
