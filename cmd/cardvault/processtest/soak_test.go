package processtest

import (
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// What clients see of cards while processes, connections and answers are lost has one explanation, and nothing is lost
// or doubled. TestSoak does this for longer, with everything else that can go wrong.
func TestHistoriesAreLinearizable(t *testing.T) {
	t.Parallel()
	f := newFleet(t, newSettings(t, pgtest.URL(t)).with(impatient...), 2, 1)
	for _, n := range shortNemeses {
		t.Run(n.name, func(t *testing.T) { newTrial(t, f, n).run(2 * time.Second) })
	}
}
