package bulk

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
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
	fields []form.Field
	// describe sets what the fields ask for. Nil for an action without fields.
	describe func(request *jobs.Request, f *form.Form)
}

// Title returns what the action does, with the number of cards: "Archive 37 cards".
func (a bulkAction) Title(count int64) string {
	return strings.Replace(a.title, "%s", format.Cards(count), 1)
}

// Undoable reports whether the job of the action can be undone.
func (a bulkAction) Undoable() bool { return jobs.Undoable(a.kind) }

// The names of fields that several actions have.
const (
	newCurrency = "new_currency"
	newPercent  = "new_percent"
	newRounding = "new_rounding"
	newBatch    = "new_batch"
)

var rounding = form.Field{
	Name: newRounding, Label: "Round", Kind: form.Choice, Options: form.Pairs("", "to the cent", "99", "to .99"),
}

// bulkActions are in the order in which they are offered.
var bulkActions = []bulkAction{
	{
		Name: "price", Label: "Set the asking price", title: "Set the asking price of %s", kind: jobs.Update,
		Effect:   "Live listings are revised to the new price. Sold cards are refused.",
		describe: describePrice, fields: []form.Field{
			{
				Name: "new_price", Path: "patch.pricing.asking_price", Label: "Asking price", Kind: form.Amount,
				CurrencyField: newCurrency, Required: true, Max: form.MaxAmount,
			},
			{Name: newCurrency, Path: "patch.pricing.asking_price.currency", Label: "Currency", Required: true, Max: 3},
		},
	},
	{
		Name: "percent", Label: "Change the asking price by percent", title: "Change the asking price of %s",
		kind:     jobs.Update,
		Effect:   "Live listings are revised to the new price. Sold cards and cards without a price are refused.",
		describe: describePercent, fields: []form.Field{
			{
				Name: newPercent, Path: "price_change.percent", Label: "Percent", Hint: "Such as 10 or -12.5",
				Kind: form.Number, Required: true, Max: 8,
			},
			rounding,
		},
	},
	{
		Name: "estimate", Label: "Set the asking price from the look-up", title: "Price %s from the look-up",
		kind: jobs.Update,
		Effect: "Each card gets its estimate of the price look-up. Live listings are revised to the new price. " +
			"Sold cards and cards without an estimate are refused.",
		describe: describeEstimate, fields: []form.Field{
			{
				Name: newPercent, Path: "price_change.percent", Label: "Percent above or below the estimate", Hint: "0",
				Kind: form.Number, Max: 8,
			},
			rounding,
		},
	},
	{
		Name: "floor", Label: "Set the floor price", title: "Set the floor price of %s", kind: jobs.Update,
		Effect: "No lower asking price is accepted. Cards whose asking price is lower already are refused. " +
			"Empty removes the floor price, so that the account's holds.",
		describe: describeFloor, fields: []form.Field{
			{
				Name: "new_floor_price", Path: "patch.pricing.floor_price", Label: "Floor price", Kind: form.Amount,
				CurrencyField: newCurrency, Max: form.MaxAmount,
			},
			{Name: newCurrency, Path: "patch.pricing.floor_price.currency", Label: "Currency", Required: true, Max: 3},
		},
	},
	{
		Name: "location", Label: "Move to a location", title: "Move %s to a location", kind: jobs.Update,
		Effect:   "Leave the field empty to remove the location.",
		describe: describeLocation, fields: []form.Field{
			{
				Name: "new_location", Path: "patch.location", Label: "Location", Hint: "Such as Box 4/Row 1",
				Max: cards.MaxLocation,
			},
		},
	},
	{
		Name: "batch", Label: "Move to a batch", title: "Move %s to a batch", kind: jobs.Update,
		Effect:   "Cards of a complete batch are refused.",
		describe: describeBatch, fields: []form.Field{
			{Name: newBatch, Path: "patch.batch_id", Label: "Batch", Kind: form.Choice},
		},
	},
	{
		Name: "condition", Label: "Set the condition", title: "Set the condition of %s", kind: jobs.Update,
		Effect:   "Sold cards are refused.",
		describe: describeCondition, fields: []form.Field{
			{
				Name: "new_condition", Path: "patch.identification.condition", Label: "Condition", Kind: form.Choice,
				Options: form.Same(cards.Conditions), Required: true,
			},
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
	return bulkActions[i], nil
}

func describePrice(request *jobs.Request, f *form.Form) {
	if price := f.Amount("new_price"); price != nil {
		request.Patch = &cards.Patch{AskingPrice: cards.Set(*price)}
	}
}

func describeFloor(request *jobs.Request, f *form.Form) {
	request.Patch = &cards.Patch{FloorPrice: cards.Clear[money.Money]()}
	if floor := f.Amount("new_floor_price"); floor != nil {
		request.Patch.FloorPrice = cards.Set(*floor)
	}
}

func describeEstimate(request *jobs.Request, f *form.Form) {
	describeChange(request, f, cmp.Or(f.Text(newPercent), "0"))
	if request.PriceChange != nil {
		request.PriceChange.OfEstimate = true
	}
}

func describePercent(request *jobs.Request, f *form.Form) {
	describeChange(request, f, f.Text(newPercent))
}

// describeChange sets the change of prices by a percentage as it is typed.
func describeChange(request *jobs.Request, f *form.Form, percentage string) {
	text := strings.TrimSpace(strings.TrimSuffix(percentage, "%"))
	percent, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil || !(math.Abs(percent) <= math.MaxInt32) { // NaN neither
		f.Refuse(fault.Invalid(newPercent, "must be a number such as 10 or -12.5"))
		return
	}
	change := cards.ChangeBy(percent, f.Text(newRounding) == "99")
	request.PriceChange = &change
}

func describeLocation(request *jobs.Request, f *form.Form) {
	request.Patch = &cards.Patch{Location: cards.SetText(f.Text("new_location"))}
}

func describeBatch(request *jobs.Request, f *form.Form) {
	request.Patch = &cards.Patch{BatchID: cards.SetText(f.Text(newBatch))}
}

func describeCondition(request *jobs.Request, f *form.Form) {
	request.Patch = &cards.Patch{Condition: cards.SetText(f.Text("new_condition"))}
	if request.Patch.Condition.Value() == nil {
		f.Refuse(fault.Invalid("new_condition", "choose a condition"))
	}
}
