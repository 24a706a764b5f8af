package e2e

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// clockReport is what `cardvault account clock --json` prints.
type clockReport struct {
	AheadSeconds             float64 `json:"ahead_seconds"`
	Repaired                 bool    `json:"repaired"`
	PollFrom                 string  `json:"poll_from"`
	Cards, Batches, Listings int
}

// accountClock runs `cardvault account clock`. It returns what the command prints, and with --json the decoded report.
func accountClock(
	t *testing.T, databaseURL, account string, args ...string,
) (report clockReport, output string) {
	t.Helper()
	args = append([]string{"account", "clock", "--account", account, "--allow-private-networks",
		"--database-url", databaseURL, "--photo-store", t.TempDir()}, args...)
	var out, errors bytes.Buffer
	command := cardvault(t, 0, args...)
	command.Stdout, command.Stderr = &out, &errors
	if err := command.Run(); err != nil {
		t.Fatalf("%q: %v: %s", args, err, errors.String())
	}
	if slices.Contains(args, "--json") {
		if err := json.Unmarshal(out.Bytes(), &report); err != nil {
			t.Fatal(err)
		}
	}
	return report, out.String()
}

// changes returns the cards that changed since a time, in the order of their last changes.
func (c *client) changes(since string) (found listOf[struct {
	ID        string
	Version   int64
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}]) {
	c.t.Helper()
	c.do("GET", "/cards?"+url.Values{"updated_since": {since}}.Encode(), nil).want(c.t, 200, &found)
	return found
}

// TestAccountClock_Repairs sets an account's clock an hour ahead, as a process with a wrong clock does, writes with a
// right clock, and repairs the account.
func TestAccountClock_Repairs(t *testing.T) {
	t.Parallel()
	databaseURL := pgtest.URL(t)
	s := startOn(t, databaseURL)
	c, ctx := s.client(t, false), t.Context()
	first, second := c.create(`{"identify":false}`), c.create(`{"identify":false}`)
	if _, output := accountClock(t, databaseURL, c.account); !strings.Contains(output, "The clock is right") {
		t.Errorf("before the write with a wrong clock the command prints %s", output)
	}

	polled := timestamp.Format(time.Now())
	wrong := clock.Clock{Now: func() time.Time { return time.Now().Add(time.Hour) }}
	err := wrong.Write(ctx, s.DB, c.account, func(*postgres.Tx, clock.Stamp) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	c.do("POST", "/batches", `{"name":"Fair"}`).want(t, 201, nil)
	third := c.create(`{"identify":false}`)
	c.do("PATCH", "/cards/"+first.ID, `{"notes":"later"}`).want(t, 200, nil)

	report, output := accountClock(t, databaseURL, c.account, "--json")
	if report.AheadSeconds < 3000 || report.AheadSeconds > 3600 || report.Repaired {
		t.Errorf("the command reports %s, want an hour ahead and not repaired", output)
	}
	_, output = accountClock(t, databaseURL, c.account)
	if !strings.Contains(output, "ahead") || !strings.Contains(output, "--repair") {
		t.Errorf("the command prints %s, want that the clock is ahead and how to repair it", output)
	}
	report, output = accountClock(t, databaseURL, c.account, "--repair", "--json")
	if !report.Repaired || report.Cards != 2 || report.Batches != 1 || report.Listings != 0 {
		t.Errorf("the repair reports %s, want 2 cards and 1 batch", output)
	}

	c.do("PATCH", "/cards/"+second.ID, `{"notes":"after"}`).want(t, 200, nil)
	soon := time.Now().Add(time.Minute)
	for _, since := range []string{polled, report.PollFrom} {
		var order []string
		last := time.Time{}
		for _, card := range c.changes(since).Data {
			order = append(order, card.ID)
			if !card.UpdatedAt.After(last) || card.UpdatedAt.After(soon) || card.CreatedAt.After(card.UpdatedAt) {
				t.Errorf("%s changed at %v after %v, created at %v", card.ID, card.UpdatedAt, last, card.CreatedAt)
			}
			last = card.UpdatedAt
		}
		if diff := cmp.Diff([]string{third.ID, first.ID, second.ID}, order); diff != "" {
			t.Errorf("wrong order of the cards that changed since %s (-want +got):\n%s", since, diff)
		}
	}
	if versions := []int64{c.get(third.ID).Version, c.get(first.ID).Version}; !slices.Equal(versions, []int64{2, 3}) {
		t.Errorf("versions %v, want 2 and 3, because a repair is a change", versions)
	}
	if report, output = accountClock(t, databaseURL, c.account, "--repair", "--json"); report.Repaired {
		t.Errorf("the second repair reports %s, want nothing repaired", output)
	}
}
