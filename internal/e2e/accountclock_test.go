package e2e

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

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

// accountClock runs `cardvault account clock` and returns its report and its words for people.
func accountClock(
	t *testing.T, databaseURL, account string, args ...string,
) (report clockReport, words string) {
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

// changes polls the account's cards and returns them in the order of their changes.
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

// TestAccountClock_Repairs has a machine an hour ahead throw an account's clock, and others write after it.
func TestAccountClock_Repairs(t *testing.T) {
	t.Parallel()
	databaseURL := pgtest.URL(t)
	s := startOn(t, databaseURL)
	c, ctx := s.client(t, false), t.Context()
	first, second := c.create(`{"identify":false}`), c.create(`{"identify":false}`)
	if _, words := accountClock(t, databaseURL, c.account); !strings.Contains(words, "The clock is right") {
		t.Errorf("before: %s", words)
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

	report, words := accountClock(t, databaseURL, c.account, "--json")
	if report.AheadSeconds < 3000 || report.AheadSeconds > 3600 || report.Repaired {
		t.Errorf("ahead: %s", words)
	}
	_, words = accountClock(t, databaseURL, c.account)
	if !strings.Contains(words, "ahead") || !strings.Contains(words, "--repair") {
		t.Errorf("ahead: %s", words)
	}
	report, words = accountClock(t, databaseURL, c.account, "--repair", "--json")
	if !report.Repaired || report.Cards != 2 || report.Batches != 1 || report.Listings != 0 {
		t.Errorf("repaired: %s", words)
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
		if want := []string{third.ID, first.ID, second.ID}; !slices.Equal(order, want) {
			t.Errorf("polling from %s shows %v, want %v", since, order, want)
		}
	}
	if versions := []int64{c.get(third.ID).Version, c.get(first.ID).Version}; !slices.Equal(versions, []int64{2, 3}) {
		t.Errorf("versions %v, want each one higher than before the repair", versions)
	}
	if report, words = accountClock(t, databaseURL, c.account, "--repair", "--json"); report.Repaired {
		t.Errorf("repaired again: %s", words)
	}
}
