// Package registry defines how a marketplace registers itself. A Kind says what a marketplace is called, what it takes
// and how it is opened; a Market is a Kind as one installation has it. Connector describes how owners connect their
// accounts, so that the dashboard and the commands need to know no marketplace by name.
//
// The list of the marketplaces that ship with CardVault is in package app. A test adds others to its own list.
package registry

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/callbudget"
	"github.com/cardvault/cardvault/internal/marketplaces/connections"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Kind is a marketplace as it is registered.
type Kind struct {
	Name   string // in the API and in addresses: "ebay"
	Label  string // for people: "eBay"
	Limits marketplaces.Limits
	// Sandbox is true for the marketplace on which sandbox accounts publish. They publish nowhere else.
	Sandbox bool
	// Connect describes how an owner connects an account. It is nil if accounts need no connection.
	Connect *Connect
	// Open opens the marketplace. It returns nil if the operator has not set it up.
	Open func(Installation) (*Opened, error)
}

// Installation is what a marketplace gets to open itself.
type Installation struct {
	Config   *config.Config
	Public   string // the address of the service, without a slash at the end
	DB       *postgres.DB
	Keys     *keyring.Keyring
	Listings connections.Listings
}

// Opened is what a marketplace can do in an installation. All fields but Seller are optional.
type Opened struct {
	// Seller returns the access of an account. It can implement marketplaces.Connected and marketplaces.PictureHost.
	Seller func(accountID string) marketplaces.Marketplace
	// Connector manages the connections of accounts. Kind.Connect describes it.
	Connector Connector
	// Budget is the budget of calls, by account.
	Budget *callbudget.Budget
	// Subscribe makes the marketplace notify this installation of an account's sales.
	Subscribe func(ctx context.Context, accountID string) error
	// Notifications handles the requests that the marketplace sends to Kind.NotificationsPath and below.
	Notifications func(Notified) http.Handler
	// Page returns the content of a page of the marketplace's own, which the dashboard shows to owners of the account.
	Page func(ctx context.Context, accountID string) (template.HTML, error)
}

// Notified is what a handler of notifications needs of the service.
type Notified struct {
	// PollNow makes an account's poll for sales due.
	PollNow func(ctx context.Context, accountID, marketplace string) error
	// Allow counts a request of an address and reports whether it is allowed.
	Allow func(*http.Request) (retryAfter time.Duration, ok bool)
	// Fail writes an error response.
	Fail func(http.ResponseWriter, *http.Request, error)
}

// Market is a registered marketplace in an installation.
type Market struct {
	Kind
	*Opened // nil if the operator has not set it up
}

// Available reports whether the operator has set up the marketplace.
func (m Market) Available() bool { return m.Opened != nil }

// NotificationsPath is the path to which the marketplace sends notifications, without a slash at the end.
func (k Kind) NotificationsPath() string { return "/marketplaces/" + k.Name + "/notifications" }

// Markets are the marketplaces of an installation, in the order of their registration.
type Markets []Market

// validName is what a name may be: it is a part of addresses and of stored rows.
var validName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,19}$`)

// Open opens the marketplaces.
func Open(kinds []Kind, in Installation) (Markets, error) {
	markets := make(Markets, len(kinds))
	for i, kind := range kinds {
		if err := check(kinds[:i], kind); err != nil {
			return nil, err
		}
		opened, err := kind.Open(in)
		if err != nil {
			return nil, fmt.Errorf("open marketplace %s: %w", kind.Name, err)
		}
		markets[i] = Market{Kind: kind, Opened: opened}
	}
	return markets, nil
}

// check returns an error unless the kind can be registered after the others.
func check(others []Kind, kind Kind) error {
	switch {
	case !validName.MatchString(kind.Name):
		return fmt.Errorf("register marketplace %q: the name must be a lower-case word", kind.Name)
	case slices.ContainsFunc(others, func(o Kind) bool { return o.Name == kind.Name }):
		return fmt.Errorf("register marketplace %s: the name is taken", kind.Name)
	case kind.Sandbox && slices.ContainsFunc(others, func(o Kind) bool { return o.Sandbox }):
		return errors.New("register marketplace " + kind.Name + ": sandbox accounts have another one")
	}
	return nil
}

// Find returns the marketplace with a name.
func (ms Markets) Find(name string) (Market, bool) {
	i := slices.IndexFunc(ms, func(m Market) bool { return m.Name == name })
	if i < 0 {
		return Market{}, false
	}
	return ms[i], true
}

// Names returns the names of the marketplaces.
func (ms Markets) Names() []string {
	names := make([]string, len(ms))
	for i, m := range ms {
		names[i] = m.Name
	}
	return names
}

// Sandbox returns the name of the marketplace of sandbox accounts, or "".
func (ms Markets) Sandbox() string {
	for _, m := range ms {
		if m.Sandbox {
			return m.Name
		}
	}
	return ""
}

// Connectable returns the marketplaces to which owners connect their accounts, also those that are not set up.
func (ms Markets) Connectable() Markets {
	return slices.DeleteFunc(slices.Clone(ms), func(m Market) bool { return m.Connect == nil })
}

// Connected returns the marketplaces to which owners can connect their accounts.
func (ms Markets) Connected() Markets {
	return slices.DeleteFunc(ms.Connectable(), func(m Market) bool { return !m.Available() })
}

// Revoked returns the labels of the marketplaces that ended their connection to an account.
func (ms Markets) Revoked(ctx context.Context, accountID string) (labels []string, err error) {
	for _, m := range ms.Connected() {
		c, err := m.Connector.Connections().Find(ctx, accountID)
		if err != nil {
			return nil, err
		}
		if c.State == connections.Revoked {
			labels = append(labels, m.Label)
		}
	}
	return labels, nil
}
