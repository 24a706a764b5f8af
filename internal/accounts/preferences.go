package accounts

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
)

// Preferences are optional settings of an account. A zero value means that the operator's setting applies.
type Preferences struct {
	// FloorPrice is the lowest asking price of cards without a floor price of their own. It holds for prices in its
	// currency.
	FloorPrice *money.Money `json:"floor_price,omitempty"`
	// Providers are the identification providers in the order in which they are asked.
	Providers []string `json:"providers,omitempty"`
	// Threshold is the least confidence, 0 to 1, with which an identification is accepted.
	Threshold *float64 `json:"threshold,omitempty"`
	// Games restricts identification to cards of these games. None means all games.
	Games []string `json:"games,omitempty"`
}

// Scan implements sql.Scanner.
func (p *Preferences) Scan(src any) error {
	text, ok := src.([]byte)
	if !ok {
		return fmt.Errorf("accounts: preferences are a %T", src)
	}
	*p = Preferences{}
	return json.Unmarshal(text, p)
}

// Identification is how photos are identified.
type Identification struct {
	Providers []string // in the order in which they are asked
	Threshold float64  // the least confidence, 0 to 1, with which a result is accepted
	Games     []string // restrict identification to these games; none means all games
}

// UseIdentification sets the providers and the lowest threshold that the operator allows, for live and for sandbox
// accounts. Update refuses other providers and lower thresholds. Its Games are all games that exist. Call it before
// using the service. Without it, Update refuses any providers and games.
func (s *Service) UseIdentification(live, sandbox Identification) {
	s.identification, s.sandboxIdentification = live, sandbox
}

// identificationOf returns the providers and the threshold that the operator allows an account.
func (s *Service) identificationOf(a Account) Identification {
	if a.Sandbox {
		return s.sandboxIdentification
	}
	return s.identification
}

// Within returns how photos are identified: as the preferences say, as far as the operator allows it now.
func (p Preferences) Within(limits Identification) Identification {
	if samePermutation(p.Providers, limits.Providers) {
		limits.Providers = p.Providers
	}
	if p.Threshold != nil {
		limits.Threshold = max(limits.Threshold, *p.Threshold)
	}
	limits.Games = p.Games
	return limits
}

// check returns an invalid_request error unless the operator allows the preferences.
func (p Preferences) check(limits Identification) error {
	if p.FloorPrice != nil {
		if err := p.FloorPrice.Check("floor_price"); err != nil {
			return err
		}
	}
	if p.Providers != nil && !samePermutation(p.Providers, limits.Providers) {
		return fault.Invalid("identification.providers", "must have %s, in any order",
			strings.Join(limits.Providers, " and "))
	}
	if t := p.Threshold; t != nil && !(*t >= limits.Threshold && *t <= 1) {
		return fault.Invalid("identification.threshold", "must be from %s to 1",
			strconv.FormatFloat(limits.Threshold, 'f', -1, 64))
	}
	for _, game := range p.Games {
		if !slices.Contains(limits.Games, game) {
			return fault.Invalid("identification.games", "must be some of %s", strings.Join(limits.Games, ", "))
		}
	}
	return nil
}

func samePermutation(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

// words returns the preferences as an audit trail shows them, by name.
func (p Preferences) words() map[string]string {
	shown := map[string]string{"floor price": "none", "providers": "the operator's", "threshold": "the operator's",
		"games": "all"}
	if p.FloorPrice != nil {
		shown["floor price"] = p.FloorPrice.String()
	}
	if p.Providers != nil {
		shown["providers"] = strings.Join(p.Providers, ", ")
	}
	if p.Threshold != nil {
		shown["threshold"] = strconv.FormatFloat(*p.Threshold, 'f', -1, 64)
	}
	if len(p.Games) > 0 {
		shown["games"] = strings.Join(p.Games, ", ")
	}
	return shown
}

// FloorPrice is the floor price of an account as a statement returns it. Amount is nil if the account has none.
type FloorPrice struct{ Amount *money.Money }

// Scan implements sql.Scanner.
func (f *FloorPrice) Scan(src any) error {
	f.Amount = nil
	if src == nil {
		return nil
	}
	text, ok := src.([]byte)
	if !ok {
		return fmt.Errorf("accounts: a floor price is a %T", src)
	}
	return json.Unmarshal(text, &f.Amount)
}

// FloorPriceOf returns the expression of the FloorPrice of an account, for statements of other packages.
func FloorPriceOf(accountID string) string {
	return "(SELECT preferences->'floor_price' FROM accounts WHERE id = " + accountID + ")"
}
