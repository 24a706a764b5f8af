package registry

import (
	"context"

	"github.com/cardvault/cardvault/internal/marketplaces/connections"
)

// Connect describes the connection of an account to a marketplace for people.
type Connect struct {
	// Missing says why the marketplace is not available if the operator has not set it up. Guide is the address of the
	// page that tells how, and GuideTitle its title.
	Missing, Guide, GuideTitle string
	// Variables are the settings that the operator has to set, for messages of commands.
	Variables string
	// NoNotifications says what the operator has to set for notifications of sales.
	NoNotifications string
	// Intro says what connecting an account means.
	Intro string
	// Fields are the fields of the form that connects an account. A field named site is the site of the connection.
	Fields []Field
	// Hint stands below the form with the settings of a connected account.
	Hint string
	// Incomplete names the missing settings if a connected account cannot publish yet.
	Incomplete string
	// Page is the text of the link to the page of the marketplace's own (Opened.Page), or "" if it has none.
	Page string
	// Actions are forms of their own on the page of a connected account.
	Actions []Action
}

// Site is the name of the field with the site of a connection.
const Site = "site"

// Field is a field of a form.
type Field struct {
	Name, Label string
	Hint        string // "" for none
	// Choice is true for a choice among Options, which may be empty. Otherwise the field is a line of text.
	Choice  bool
	Options []Option
	Empty   string // what a choice without options shows
	Value   string // that the form shows
	Secret  bool   // whether the entered text must not be shown
	// Max is the largest number of characters of a text; 0 means 200. Autocomplete is what a browser may fill in, and
	// Capitals is true if it should offer capital letters.
	Max          int
	Autocomplete string
	Capitals     bool
}

// Option is a value that can be chosen.
type Option struct{ Value, Label, Detail string }

// LabelOf returns the label of an option, or "".
func (f Field) LabelOf(value string) string {
	for _, o := range f.Options {
		if o.Value == value {
			return o.Label
		}
	}
	return ""
}

// Action is a form that does one thing at the marketplace.
type Action struct {
	Name         string // in its address
	Title, Intro string
	Fields       []Field
	Button, Done string // Done reports that it was done
}

// Values are the values of a form, by the names of the fields.
type Values map[string]string

// Setup is what the owner of a connected account can set.
type Setup struct {
	Fields []Field
	// Actions are the names of the actions that are of use now.
	Actions []string
}

// Warning is something that went wrong after an account was connected and that does not undo the connection.
type Warning struct {
	Text string // "The settings could not be read from eBay."
	Err  error
}

// Connector manages the connections of accounts to a marketplace. Its errors are faults if the owner can do something
// about them. The faults name fields of the form.
type Connector interface {
	// Connections stores the connections.
	Connections() *connections.Service
	// Begin begins to connect an account with the values of Connect.Fields. It returns the address at which the seller
	// consents, or "" if the account is connected now.
	Begin(ctx context.Context, accountID string, values Values) (address string, err error)
	// Connected prepares an account that was connected just now.
	Connected(ctx context.Context, accountID string) []Warning
	// Used reports whether the account is connected, or was until the marketplace ended the connection.
	Used(ctx context.Context, accountID string) (bool, error)
	// Ready returns nil if the account can publish, or a fault that says what its owner has to do.
	Ready(ctx context.Context, accountID string) error
	// Complete reports whether the settings of a connected account allow it to publish.
	Complete(c connections.Connection) bool
	// Setup returns the settings of a connected account. typed, if not nil, are the values that the form shows instead
	// of the stored ones.
	Setup(ctx context.Context, c connections.Connection, accountID string, typed Values) (Setup, error)
	// Configure stores the settings that an owner chose.
	Configure(ctx context.Context, accountID string, values Values) error
	// Do does an action of Connect.Actions.
	Do(ctx context.Context, accountID, action string, values Values) error
	// Settings returns the settings of a connection as commands print them, by name.
	Settings(c connections.Connection) map[string]string
}
