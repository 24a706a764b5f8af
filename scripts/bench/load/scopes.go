package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
)

// The accounts of the row with many writers. They are created once and kept.
const (
	writersName      = "Benchmark writers"
	writerAccounts   = 32
	writersAnAccount = 2
	cardsOfAWriter   = 100
)

// measureScopes compares both scopes of group commit and, if there is one, the earlier build, on one account and on
// many.
func measureScopes(ctx context.Context, s settings, t *table) error {
	service, stop, err := startAll(ctx, s, "CARDVAULT_GROUP_COMMIT=all")
	defer stop()
	if err != nil {
		return err
	}
	account, err := startService(ctx, s, "account", s.build, "CARDVAULT_GROUP_COMMIT=account")
	if err != nil {
		return err
	}
	defer account.stop()
	for _, item := range []struct {
		name   string
		source func(context.Context, settings, build, *process) ([]func() []byte, error)
	}{
		{fmt.Sprintf("PATCH: %d connections on one account", s.connections), oneAccount},
		{fmt.Sprintf("PATCH: %d writers over %d accounts", writerAccounts*writersAnAccount, writerAccounts),
			manyAccounts},
	} {
		o := operation{name: item.name}
		if o.next, err = item.source(ctx, s, s.build, service[0]); err != nil {
			return err
		}
		entrants := []entrant{{service[0], o}, {account, o}}
		if len(service) > 1 {
			before := operation{name: item.name}
			if before.next, err = item.source(ctx, s, s.before, service[1]); err != nil {
				return err
			}
			entrants = append(entrants, entrant{service[1], before})
		}
		samples, err := compare(ctx, s, entrants...)
		if err != nil {
			return err
		}
		t.addScopes(o.name, samples)
	}
	return nil
}

// leastOfScope is the least ratio of either scope to the earlier build.
const leastOfScope = 0.9

// addScopes adds the samples with group commit across accounts and within an account, and of the earlier build.
func (t *table) addScopes(name string, samples []sample) {
	across, account := samples[0], samples[1]
	t.note(name+", grouped across accounts, against one account's", across.rate(), account.rate(),
		times(across.ratio(account)))
	t.note(name+", the same: "+spreadNames, across.spread(), account.spread(), "")
	if len(samples) > 2 {
		t.addBefore(name+", grouped across accounts", leastOfScope, across, samples[2])
		t.addBefore(name+", grouped within an account", leastOfScope, account, samples[2])
	}
}

// oneAccount are the changes of prices of the measured account.
func oneAccount(ctx context.Context, s settings, b build, p *process) ([]func() []byte, error) {
	stock, err := readStock(ctx, p, b.token)
	if err != nil {
		return nil, err
	}
	return toggles(stock, rand.New(rand.NewPCG(5, 6)), s.connections, b.token), nil
}

// manyAccounts returns changes of prices of small accounts. It creates missing accounts.
func manyAccounts(ctx context.Context, s settings, b build, p *process) (sources []func() []byte, err error) {
	accounts, err := writers(ctx, s, b)
	if err != nil {
		return nil, err
	}
	for i, id := range accounts {
		token, err := newToken(ctx, s, b, id, "--limits", unlimited)
		if err != nil {
			return nil, err
		}
		stock, err := filled(ctx, p, token)
		if err != nil {
			return nil, err
		}
		sources = append(sources, toggles(stock, rand.New(rand.NewPCG(7, uint64(i))), writersAnAccount, token)...)
	}
	return sources, nil
}

// writers are the small accounts' identifiers.
func writers(ctx context.Context, s settings, b build) (ids []string, err error) {
	var all struct{ Data []struct{ ID, Name string } }
	if err := printed(ctx, s, b, &all, "account", "list"); err != nil {
		return nil, err
	}
	for _, a := range all.Data {
		if a.Name == writersName {
			ids = append(ids, a.ID)
		}
	}
	for len(ids) < writerAccounts {
		var answer struct{ ID string }
		if err := printed(ctx, s, b, &answer, "account", "create", "--name", writersName); err != nil {
			return nil, err
		}
		ids = append(ids, answer.ID)
	}
	return ids, nil
}

// printed runs a command of a build and decodes its output.
func printed(ctx context.Context, s settings, b build, into any, args ...string) error {
	command := b.command(ctx, s, append(args, "--json")...)
	out, err := command.Output()
	if err != nil {
		return fmt.Errorf("cardvault %s: %w", strings.Join(args, " "), err)
	}
	return json.Unmarshal(out, into)
}

// unlimited are limits that no measurement reaches.
const unlimited = "read=1000000,write=1000000,ai=1000000"

// newToken creates a token of an account and returns its secret.
func newToken(ctx context.Context, s settings, b build, accountID string, options ...string) (string, error) {
	var answer struct{ Token string }
	args := append([]string{"token", "create", "--account", accountID, "--name", "make bench"}, options...)
	err := printed(ctx, s, b, &answer, args...)
	return answer.Token, err
}

// filled returns the cards of a small account. If it has none, filled creates them.
func filled(ctx context.Context, p *process, token string) (*stock, error) {
	stock, err := readAccount(ctx, p, token)
	if err != nil || len(stock.cards) > 0 {
		return stock, err
	}
	c, err := dial(ctx, p.addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	drafts := slices.Repeat([]string{`{"identification":{"title":"Ember Fox"}}`}, cardsOfAWriter)
	body := `{"cards":[` + strings.Join(drafts, ",") + `]}`
	if err := c.expect(request("POST", "/cards", token, body), http.StatusCreated); err != nil {
		return nil, err
	}
	return readAccount(ctx, p, token)
}
