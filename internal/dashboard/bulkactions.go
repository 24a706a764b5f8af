package dashboard

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/jobs"
	"github.com/cardvault/cardvault/internal/money"
)

// bulkAction is a change to many cards, or another use of them.
type bulkAction struct {
	Name   string // in addresses
	Label  string // in the list of actions
	title  string // with %s for the number of cards
	Effect string // what happens, and which cards are refused
	Danger bool   // it ends or deletes something
	page   string // the path of the page with the cards, for an action that changes nothing
	kind   jobs.Kind
	fields []bulkField
	// describe sets what the fields ask for. Nil for an action without fields.
	describe func(request *jobs.Request, form url.Values) error
}

// Title returns what the action does, with the number of cards: "Archive 37 cards".
func (a bulkAction) Title(count int64) string {
	return strings.Replace(a.title, "%s", cardCount(count), 1)
}

// Undoable reports whether the job of the action can be undone.
func (a bulkAction) Undoable() bool { return jobs.Undoable(a.kind) }

// cardCount returns a number of cards in words: "1 card", "1,240 cards".
func cardCount(n int64) string {
	if n == 1 {
		return "1 card"
	}
	return number(n) + " cards"
}

// bulkField is a field of a bulk action.
type bulkField struct {
	Name, Label, Hint string
	Value             string
	Error             string
	Options           []option // that can be chosen; nil for free text
	Decimal           bool     // a number, for which phones show digits
	Required          bool
	Max               int // characters
	batches           bool
}

// bulkActions are in the order in which they are offered.
var bulkActions = []bulkAction{
	{
		Name: "price", Label: "Set the asking price", title: "Set the asking price of %s", kind: jobs.Update,
		Effect:   "Live listings are revised to the new price. Sold cards are refused.",
		describe: describePrice, fields: []bulkField{
			{Name: "new_price", Label: "Asking price", Decimal: true, Required: true, Max: maxAmount},
			{Name: "new_currency", Label: "Currency", Required: true, Max: 3},
		},
	},
	{
		Name: "percent", Label: "Change the asking price by percent", title: "Change the asking price of %s",
		kind:     jobs.Update,
		Effect:   "Live listings are revised to the new price. Sold cards and cards without a price are refused.",
		describe: describePercent, fields: []bulkField{
			{Name: "new_percent", Label: "Percent", Hint: "Such as 10 or -12.5", Decimal: true, Required: true, Max: 8},
			{Name: "new_rounding", Label: "Round", Options: []option{{"", "to the cent"}, {"99", "to .99"}}},
		},
	},
	{
		Name: "estimate", Label: "Set the asking price from the look-up", title: "Price %s from the look-up",
		kind: jobs.Update,
		Effect: "Each card gets its estimate of the price look-up. Live listings are revised to the new price. " +
			"Sold cards and cards without an estimate are refused.",
		describe: describeEstimate, fields: []bulkField{
			{Name: "new_percent", Label: "Percent above or below the estimate", Hint: "0", Decimal: true, Max: 8},
			{Name: "new_rounding", Label: "Round", Options: []option{{"", "to the cent"}, {"99", "to .99"}}},
		},
	},
	{
		Name: "floor", Label: "Set the floor price", title: "Set the floor price of %s", kind: jobs.Update,
		Effect: "No lower asking price is accepted. Cards whose asking price is lower already are refused. " +
			"Empty removes the floor price, so that the account's holds.",
		describe: describeFloor, fields: []bulkField{
			{Name: "new_floor_price", Label: "Floor price", Decimal: true, Max: maxAmount},
			{Name: "new_currency", Label: "Currency", Required: true, Max: 3},
		},
	},
	{
		Name: "location", Label: "Move to a location", title: "Move %s to a location", kind: jobs.Update,
		Effect:   "Leave the field empty to remove the location.",
		describe: describeLocation, fields: []bulkField{
			{Name: "new_location", Label: "Location", Hint: "Such as Box 4/Row 1", Max: cards.MaxLocation},
		},
	},
	{
		Name: "batch", Label: "Move to a batch", title: "Move %s to a batch", kind: jobs.Update,
		Effect:   "Cards of a complete batch are refused.",
		describe: describeBatch, fields: []bulkField{{Name: "new_batch", Label: "Batch", batches: true}},
	},
	{
		Name: "condition", Label: "Set the condition", title: "Set the condition of %s", kind: jobs.Update,
		Effect:   "Sold cards are refused.",
		describe: describeCondition, fields: []bulkField{
			{Name: "new_condition", Label: "Condition", Options: sameOptions(cards.Conditions), Required: true},
		},
	},
	{
		Name: "identify", Label: "Identify again", title: "Identify %s again", kind: jobs.Identify,
		Effect: "The cards are queued. Cards without a photo are refused.",
	},
	{
		Name: "publish", Label: "Publish", title: "Publish %s", kind: jobs.Publish,
		Effect: "Each card is offered at its asking price. Cards without a title, a price or a photo are refused.",
	},
	{
		Name: "end", Label: "End listings", title: "End the listings of %s", kind: jobs.End, Danger: true,
		Effect: "The live listings are taken off the marketplace. Cards without one are refused.",
	},
	{
		Name: "archive", Label: "Archive", title: "Archive %s", kind: jobs.Archive,
		Effect: "Archived cards are no part of your stock. Live listings are taken off the marketplace first. " +
			"Sold cards are refused.",
	},
	{
		Name: "delete", Label: "Delete", title: "Delete %s", kind: jobs.Delete, Danger: true,
		Effect: "The cards and their photos can be brought back for 24 hours, then they are erased. " +
			"Their sales stay. Cards with a listing under way are refused.",
	},
	{Name: "labels", Label: "Print labels", page: "/cards/labels"},
	{Name: "pull-sheet", Label: "Print a pull sheet", page: "/cards/pull-sheet"},
	{Name: "export", Label: "Export as CSV", page: "/cards/export"},
}

// bulkActionOf returns the action of this name.
func bulkActionOf(name string) (bulkAction, error) {
	i := slices.IndexFunc(bulkActions, func(a bulkAction) bool { return a.Name == name })
	if i < 0 {
		return bulkAction{}, fault.Invalid("action", "choose what to do with the cards")
	}
	action := bulkActions[i]
	action.fields = slices.Clone(action.fields)
	return action, nil
}

func describePrice(request *jobs.Request, form url.Values) error {
	price, err := newAmount(form, "new_price")
	if err != nil {
		return err
	}
	request.Patch = &cards.Patch{AskingPrice: cards.Set(price)}
	return nil
}

func describeFloor(request *jobs.Request, form url.Values) error {
	if typed(form, "new_floor_price") == "" {
		request.Patch = &cards.Patch{FloorPrice: cards.Clear[money.Money]()}
		return nil
	}
	floor, err := newAmount(form, "new_floor_price")
	if err != nil {
		return err
	}
	request.Patch = &cards.Patch{FloorPrice: cards.Set(floor)}
	return nil
}

// newAmount returns the amount in a field of the form, in the currency of new_currency.
func newAmount(form url.Values, field string) (money.Money, error) {
	currency := strings.ToUpper(typed(form, "new_currency"))
	if !money.Known(currency) {
		return money.Money{}, fault.Invalid("new_currency", "must be a code such as USD")
	}
	amount, err := money.Parse(typed(form, field), currency)
	if err != nil {
		return money.Money{}, fault.Invalid(field, "must be an amount such as 12.50")
	}
	return amount, nil
}

func describeEstimate(request *jobs.Request, form url.Values) error {
	values := url.Values{"new_percent": {cmp.Or(typed(form, "new_percent"), "0")}, "new_rounding": form["new_rounding"]}
	if err := describePercent(request, values); err != nil {
		return err
	}
	request.PriceChange.OfEstimate = true
	return nil
}

func describePercent(request *jobs.Request, form url.Values) error {
	text := strings.TrimSpace(strings.TrimSuffix(typed(form, "new_percent"), "%"))
	percent, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil || !(math.Abs(percent) <= math.MaxInt32) { // NaN neither
		return fault.Invalid("new_percent", "must be a number such as 10 or -12.5")
	}
	request.PriceChange = &cards.PriceChange{
		Hundredths: int64(math.Round(100 * percent)), To99: typed(form, "new_rounding") == "99",
	}
	return nil
}

func describeLocation(request *jobs.Request, form url.Values) error {
	request.Patch = &cards.Patch{Location: textField(form, "new_location")}
	return nil
}

func describeBatch(request *jobs.Request, form url.Values) error {
	request.Patch = &cards.Patch{BatchID: textField(form, "new_batch")}
	return nil
}

func describeCondition(request *jobs.Request, form url.Values) error {
	request.Patch = &cards.Patch{Condition: textField(form, "new_condition")}
	if request.Patch.Condition.Value() == nil {
		return fault.Invalid("new_condition", "choose a condition")
	}
	return nil
}
