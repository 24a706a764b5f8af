package listings

import (
	"context"
	"maps"
	"slices"

	"github.com/cardvault/cardvault/internal/fault"
)

// Marketplaces returns the marketplaces on which an account can publish, the default first. sandboxAccount reports
// whether it is a sandbox account.
func (s *Service) Marketplaces(ctx context.Context, accountID string, sandboxAccount bool) ([]string, error) {
	if sandboxAccount {
		return []string{s.cfg.Sandbox}, nil
	}
	names, err := s.connected(ctx, accountID)
	if err != nil {
		return nil, err
	}
	names = append(names, s.cfg.Default)
	for _, name := range slices.Sorted(maps.Keys(s.cfg.Markets)) {
		if name != s.cfg.Default && s.cfg.Markets[name].Connection == nil {
			names = append(names, name)
		}
	}
	return names, nil
}

// connected returns the marketplaces to which the account is connected by its owner.
func (s *Service) connected(ctx context.Context, accountID string) (names []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(s.cfg.Markets)) {
		connection := s.cfg.Markets[name].Connection
		if connection == nil {
			continue
		}
		used, err := connection.Used(ctx, accountID)
		if err != nil {
			return nil, err
		}
		if used {
			names = append(names, name)
		}
	}
	return names, nil
}

// DefaultMarketplace returns the marketplace of requests that name none.
func (s *Service) DefaultMarketplace(ctx context.Context, accountID string, sandboxAccount bool) (string, error) {
	return s.choose(ctx, accountID, nil, sandboxAccount)
}

// choose returns the marketplace of the request, or the account's default, if the account can publish there.
func (s *Service) choose(ctx context.Context, accountID string, asked *string, sandboxAccount bool) (string, error) {
	if sandboxAccount && asked != nil && *asked != s.cfg.Sandbox {
		return "", fault.Invalid("marketplace", "must be %s: sandbox accounts publish nowhere else", s.cfg.Sandbox)
	}
	name := ""
	if asked != nil {
		name = *asked
	} else {
		names, err := s.Marketplaces(ctx, accountID, sandboxAccount)
		if err != nil {
			return "", err
		}
		name = names[0]
	}
	market, ok := s.cfg.Markets[name]
	if !ok {
		return "", fault.Invalid("marketplace", "%q is not set up on this server", name)
	}
	if market.Connection != nil {
		return name, market.Connection.Ready(ctx, accountID)
	}
	return name, nil
}
