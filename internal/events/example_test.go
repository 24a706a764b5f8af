package events_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/openapi"
)

// Examples of all kinds match the contract.
func TestExample_MatchesContract(t *testing.T) {
	t.Parallel()
	contract, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC().Truncate(time.Microsecond)
	stamp := clock.Stamp{AccountID: id.New(id.Account, now), At: now}
	for _, kind := range events.Kinds {
		e, err := events.Example(stamp, kind)
		if err != nil {
			t.Fatal(err)
		}
		var body any
		if err := json.Unmarshal([]byte(e.Body), &body); err != nil {
			t.Fatal(err)
		}
		if err := contract.Components.Schemas["Event"].Value.VisitJSON(body); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		zeros := strings.Repeat("0", 26)
		_, ok := id.Parse(id.Event, e.ID)
		if !ok || e.Kind != kind || !strings.Contains(e.Body, e.ID) || !strings.Contains(e.Body, zeros) {
			t.Errorf("%s: %s", kind, e.Body)
		}
	}
	if _, err := events.Example(stamp, "card.eaten"); err == nil {
		t.Error("Example of an unknown kind succeeded")
	}
}
