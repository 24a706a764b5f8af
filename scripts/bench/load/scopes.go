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
	for _, measured := range []struct {
		name   string
		source func(context.Context, settings, build, *process) ([]func() []byte, error)
	}{
		{fmt.Sprintf("PATCH: %d connections on one account", s.connections), oneAccount},
		{fmt.Sprintf("PATCH: %d writers over %d accounts", writerAccounts*writersAnAccount, writerAccounts),
			manyAccounts},
	} {
		o := operation{name: measured.name}
		if o.next, err = measured.source(ctx, s, s.build, service[0]); err != nil {
			return err
		}
		entrants := []entrant{{service[0], o}, {account, o}}
		if len(service) > 1 {
			before := operation{name: measured.name}
			if before.next, err = measured.source(ctx, s, s.before, service[1]); err != nil {
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
func (t *table) addScopes(name string, measured []sample) {
	across, account := measured[0], measured[1]
	t.note(name+", grouped across accounts, against one account's", across.rate(), account.rate(),
		times(across.ratio(account)))
	t.note(name+", the same: "+spreadNames, across.spread(), account.spread(), "")
	if len(measured) > 2 {
		t.addBefore(name+", grouped across accounts", leastOfScope, across, measured[2])
		t.addBefore(name+", grouped within an account", leastOfScope, account, measured[2])
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
		var made struct{ ID string }
		if err := printed(ctx, s, b, &made, "account", "create", "--name", writersName); err != nil {
			return nil, err
		}
		ids = append(ids, made.ID)
	}
	return ids, nil
}

// printed runs a command of a build and decodes what it prints.
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
	var made struct{ Token string }
	args := append([]string{"token", "create", "--account", accountID, "--name", "make bench"}, options...)
	err := printed(ctx, s, b, &made, args...)
	return made.Token, err
}

// filled returns what a small account holds and gives it cards if it has none.
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
