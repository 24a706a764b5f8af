package dashboard

import (
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/identify/spend"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

const settingsPath = "/settings"

// settingsRoutes adds the pages of the account's settings and users.
func (d *Dashboard) settingsRoutes(owner func(method, path string, handle handler)) {
	owner(http.MethodGet, settingsPath, d.showSettings)
	owner(http.MethodPost, settingsPath, d.changeSettings)
	owner(http.MethodGet, usersPath, d.listUsers)
	owner(http.MethodPost, usersPath, d.inviteUser)
	owner(http.MethodPost, usersPath+"/{id}/role", d.changeRole)
	owner(http.MethodPost, usersPath+"/{id}/link", d.newPasswordLink)
	owner(http.MethodGet, usersPath+"/{id}/remove", d.confirmRemoveUser)
	owner(http.MethodPost, usersPath+"/{id}/remove", d.removeUser)
	owner(http.MethodPost, usersPath+"/{id}/withdraw", d.withdrawInvitation)
	owner(http.MethodGet, auditPath, d.showAudit)
}

// settingsPage is the data of the page settings.
type settingsPage struct {
	Account  accounts.Account
	Settings settingsForm
	Orders   []string // of the identification providers that can be chosen
	Least    string   // percent: the lowest threshold that the operator allows
	Max      int      // characters of the name
	Limits   ratelimit.Limits
	Quotas   []quotaRow
	Games    []option          // that can be chosen
	Spend    *spend.Day        // on remote identification providers; nil if the account uses none
	Errors   map[string]string // by the name of the field
	Saved    bool
}

// settingsForm has the values of the form as they are typed. Those that are empty are the operator's.
type settingsForm struct {
	Name, Currency, TimeZone, FloorPrice, FloorCurrency, Threshold, Providers string

	Games []string
}

// Has reports whether a game is chosen.
func (f settingsForm) Has(game string) bool { return slices.Contains(f.Games, game) }

// between are the words between the names of providers in the order of use.
const between = ", then "

// newSettingsForm returns the form with the settings of an account.
func newSettingsForm(a accounts.Account) settingsForm {
	form := settingsForm{
		Name: a.Name, Currency: a.Currency, TimeZone: a.TimeZone,
		Providers: strings.Join(a.Preferences.Providers, between), Games: a.Preferences.Games,
	}
	form.FloorPrice, form.FloorCurrency = decimal(a.Preferences.FloorPrice, a.Currency)
	if t := a.Preferences.Threshold; t != nil {
		form.Threshold = inPercent(*t)
	}
	return form
}

// inPercent returns a confidence for a form: 85 for 0.85.
func inPercent(confidence float64) string {
	return strconv.FormatFloat(math.Round(confidence*10_000)/100, 'f', -1, 64)
}

// change returns the settings that the form describes, and what is wrong with its fields by name. least is the lowest
// threshold that the operator allows.
func (f settingsForm) change(least float64) (c accounts.Change, errors map[string]string) {
	c, errors = accounts.Change{Name: f.Name, Currency: f.Currency, TimeZone: f.TimeZone}, map[string]string{}
	if f.FloorPrice != "" {
		floor, err := money.Parse(f.FloorPrice, f.FloorCurrency)
		if err != nil {
			errors["floor_price"] = "must be an amount such as 0.99"
		}
		c.Preferences.FloorPrice = &floor
	}
	if f.Threshold != "" {
		threshold, err := strconv.ParseFloat(f.Threshold, 64)
		threshold /= 100
		if err != nil || !(threshold >= least && threshold <= 1) {
			errors["threshold"] = "must be a number from " + inPercent(least) + " to 100"
		}
		c.Preferences.Threshold = &threshold
	}
	if f.Providers != "" {
		c.Preferences.Providers = strings.Split(f.Providers, between)
	}
	c.Preferences.Games = f.Games
	return c, errors
}

func (d *Dashboard) showSettings(w http.ResponseWriter, r *http.Request) error {
	return d.renderSettings(w, r, http.StatusOK, settingsPage{
		Settings: newSettingsForm(visitOf(r).Account), Saved: r.URL.Query().Get("saved") == "true",
	})
}

func (d *Dashboard) renderSettings(w http.ResponseWriter, r *http.Request, status int, p settingsPage) error {
	p.Account, p.Max, p.Limits, p.Games = visitOf(r).Account, accounts.MaxName, d.Limits, wordOptions(cards.Games)
	var err error
	if p.Quotas, err = d.quotaRows(r); err != nil {
		return err
	}
	allowed := d.identificationOf(p.Account)
	p.Least = inPercent(allowed.Threshold)
	names := slices.Clone(allowed.Providers)
	p.Orders = append(p.Orders, strings.Join(names, between))
	slices.Reverse(names) // the other order of two
	p.Orders = slices.Compact(append(p.Orders, strings.Join(names, between)))
	if d.Spend != nil && !p.Account.Sandbox {
		spent, err := d.Spend.Today(r.Context(), p.Account.ID)
		if err != nil {
			return err
		}
		p.Spend = &spent
	}
	return d.show(w, r, status, "settings", "Settings", p)
}

// identificationOf returns how the operator has the photos of an account identified, whatever the account prefers.
func (d *Dashboard) identificationOf(a accounts.Account) accounts.Identification {
	return d.Identification.Settings(accounts.Account{Sandbox: a.Sandbox})
}

func (d *Dashboard) changeSettings(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	p := settingsPage{Settings: settingsForm{
		Name: typed(r.PostForm, "name"), Currency: strings.ToUpper(typed(r.PostForm, "currency")),
		TimeZone: typed(r.PostForm, "time_zone"), FloorPrice: typed(r.PostForm, "floor_price"),
		FloorCurrency: strings.ToUpper(typed(r.PostForm, "floor_currency")),
		Threshold:     typed(r.PostForm, "threshold"), Providers: typed(r.PostForm, "providers"),
		Games: r.PostForm["games"],
	}}
	var wanted accounts.Change
	least := d.identificationOf(visitOf(r).Account).Threshold
	if wanted, p.Errors = p.Settings.change(least); len(p.Errors) > 0 {
		return d.renderSettings(w, r, http.StatusUnprocessableEntity, p)
	}
	_, err := d.Accounts.Update(r.Context(), visitOf(r).Account.ID, func(c *accounts.Change) { *c = wanted })
	if f, invalid := asInvalid(err); invalid {
		for _, detail := range f.Details {
			p.Errors[settingsField(detail.Field)] = detail.Message
		}
		return d.renderSettings(w, r, formStatus(f), p)
	}
	if err != nil {
		return err
	}
	redirect(w, r, settingsPath+"?saved=true")
	return nil
}

// settingsField returns the name of the form's field that a fault's detail is about.
func settingsField(path string) string {
	switch path {
	case "floor_price.amount":
		return "floor_price"
	case "floor_price.currency":
		return "floor_currency"
	}
	return strings.TrimPrefix(path, "identification.")
}

// fieldError returns what is wrong with the field of a form that a fault is about, or the whole message.
func fieldError(f *fault.Error) string {
	if len(f.Details) == 1 {
		return f.Details[0].Message
	}
	return f.Message
}
