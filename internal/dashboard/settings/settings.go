package settings

import (
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/identify/spend"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

const settingsPath = "/settings"

// settingsPage is the data of the page settings.
type settingsPage struct {
	Account accounts.Account
	Form    *form.Form
	Orders  []string // of the identification providers that can be chosen
	Least   string   // percent: the lowest threshold that the operator allows
	Limits  ratelimit.Limits
	Quotas  []quotaRow
	Spend   *spend.Day // on remote identification providers; nil if the account uses none
	Saved   bool
}

// between are the words between the names of providers in the order of use.
const between = ", then "

// settingsForm returns the form with the settings of an account. Values that are empty are the operator's.
func settingsForm(a accounts.Account) *form.Form {
	threshold := ""
	if t := a.Preferences.Threshold; t != nil {
		threshold = inPercent(*t)
	}
	floor, currency := form.Major(a.Preferences.FloorPrice, a.Currency)
	return form.New(
		form.Field{Name: "name", Value: a.Name, Max: accounts.MaxName},
		form.Field{Name: "currency", Value: a.Currency},
		form.Field{Name: "time_zone", Value: a.TimeZone},
		form.Field{Name: "floor_price", Kind: form.Amount, CurrencyField: "floor_currency", Value: floor},
		form.Field{Name: "floor_currency", Path: "floor_price.currency", Value: currency},
		form.Field{Name: "threshold", Path: "identification.threshold", Kind: form.Number, Value: threshold},
		form.Field{
			Name: "providers", Path: "identification.providers", Kind: form.Choice,
			Value: strings.Join(a.Preferences.Providers, between),
		},
		form.Field{
			Name: "games", Path: "identification.games", Kind: form.Tags, Options: format.Options(cards.Games),
			Tags: a.Preferences.Games,
		},
	)
}

// inPercent returns a confidence for a form: 85 for 0.85.
func inPercent(confidence float64) string {
	return strconv.FormatFloat(math.Round(confidence*10_000)/100, 'f', -1, 64)
}

// settingsChange returns the settings that the form describes. least is the lowest threshold that the operator allows.
func settingsChange(f *form.Form, least float64) (accounts.Change, error) {
	c := accounts.Change{
		Name: f.Sent("name"), Currency: strings.ToUpper(f.Sent("currency")), TimeZone: f.Sent("time_zone"),
	}
	c.Preferences.FloorPrice, c.Preferences.Games = f.Amount("floor_price"), f.Of("games").Tags
	if text := f.Sent("threshold"); text != "" {
		threshold, err := strconv.ParseFloat(text, 64)
		threshold /= 100
		if err != nil || !(threshold >= least && threshold <= 1) {
			f.Refuse(fault.Invalid("threshold", "must be a number from %s to 100", inPercent(least)))
		}
		c.Preferences.Threshold = &threshold
	}
	if providers := f.Sent("providers"); providers != "" {
		c.Preferences.Providers = strings.Split(providers, between)
	}
	return c, f.Err()
}

func (h *Handlers) ShowSettings(w http.ResponseWriter, r *http.Request) error {
	return h.renderSettings(w, r, http.StatusOK, settingsPage{
		Form: settingsForm(web.VisitOf(r).Account), Saved: r.URL.Query().Get("saved") == "true",
	})
}

func (h *Handlers) renderSettings(w http.ResponseWriter, r *http.Request, status int, p settingsPage) error {
	p.Account, p.Limits = web.VisitOf(r).Account, h.Limits
	var err error
	if p.Quotas, err = h.quotaRows(r); err != nil {
		return err
	}
	allowed := h.identificationOf(p.Account)
	p.Least = inPercent(allowed.Threshold)
	names := slices.Clone(allowed.Providers)
	p.Orders = append(p.Orders, strings.Join(names, between))
	slices.Reverse(names) // the other order of two
	p.Orders = slices.Compact(append(p.Orders, strings.Join(names, between)))
	if h.Spend != nil && !p.Account.Sandbox {
		spent, err := h.Spend.Today(r.Context(), p.Account.ID)
		if err != nil {
			return err
		}
		p.Spend = &spent
	}
	return h.Show(w, r, status, "settings", "Settings", p)
}

// identificationOf returns how the operator has the photos of an account identified, whatever the account prefers.
func (h *Handlers) identificationOf(a accounts.Account) accounts.Identification {
	return h.Identification.Settings(accounts.Account{Sandbox: a.Sandbox})
}

func (h *Handlers) ChangeSettings(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account
	f := settingsForm(account).Read(r.PostForm)
	change, err := settingsChange(f, h.identificationOf(account).Threshold)
	if err == nil {
		_, err = h.Accounts.Update(r.Context(), account.ID, func(c *accounts.Change) { *c = change })
	}
	if err == nil {
		web.Redirect(w, r, settingsPath+"?saved=true")
		return nil
	}
	refused, ok := list.Invalid(err)
	if !ok {
		return err
	}
	f.Refuse(refused)
	return h.renderSettings(w, r, form.Status(refused), settingsPage{Form: f})
}
