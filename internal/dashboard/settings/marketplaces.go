package settings

import (
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces/callbudget"
	"github.com/cardvault/cardvault/internal/marketplaces/connections"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/ebayapi"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

const (
	marketplacesPath = settingsPath + "/marketplaces"
	ebayPath         = marketplacesPath + "/ebay"
)

// ConnectTime is how long eBay's answer may take to be accepted: tokens, and what the seller can choose from.
const ConnectTime = 45 * time.Second

// IfEbay calls the handler if the account can be connected to eBay.
func (h *Handlers) IfEbay(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		switch {
		case h.Ebay == nil:
			return fault.New(fault.InvalidRequest,
				"This server is not set up to sell on eBay. Its operator sets the keys of eBay.")
		case web.VisitOf(r).Account.Sandbox:
			return fault.New(fault.InvalidRequest, "Sandbox accounts sell on the sandbox marketplace only.")
		}
		return next(w, r)
	}
}

// marketplacesPage is the data of the page marketplaces.
type marketplacesPage struct {
	Available  bool // whether the server is set up for eBay
	Sandbox    bool // whether it is a sandbox account
	Connection connections.Connection
	Who        string // who connected the account
	Sites      []wire.Site
	Form       *form.Form
	Choices    *ebayapi.Choices
	Settings   connections.Settings // that the form shows
	Unknown    string               // why the choices cannot be shown
	Done       string               // what was done
	Calls      callbudget.Day       // to eBay
	Open       int                  // listings, if the account is not connected
}

// ebayForm returns the fields of the page's forms: the site, the settings, and a new location.
func ebayForm() *form.Form {
	return form.New(
		form.Field{Name: "site"}, form.Field{Name: "location"}, form.Field{Name: "fulfillment_policy"},
		form.Field{Name: "payment_policy"}, form.Field{Name: "return_policy"},
		form.Field{Name: "name"}, form.Field{Name: "country"}, form.Field{Name: "postal_code"},
	)
}

// Failed returns why a form was refused, or "" if that stands beside a field.
func (p marketplacesPage) Failed() string {
	if p.Form.Failed == form.Marked && (p.Choices != nil || !p.Connected()) {
		return ""
	}
	return p.Form.Failed
}

// Connected reports whether the account is connected.
func (p marketplacesPage) Connected() bool { return p.Connection.State == connections.Connected }

// Revoked reports whether the marketplace ended the connection.
func (p marketplacesPage) Revoked() bool { return p.Connection.State == connections.Revoked }

// SiteName returns the name of the site to which the account is connected.
func (p marketplacesPage) SiteName() string {
	site, _ := wire.FindSite(p.Connection.Site)
	return site.Name
}

// Ready reports whether the account can publish on eBay.
func (p marketplacesPage) Ready() bool {
	return p.Connected() && p.Connection.LocationKey != "" && p.Connection.HasPolicies()
}

// Setting is a choice of the form.
type Setting struct {
	Name, Label, Chosen string
	Error               string // why it was refused
	Choices             []ebayapi.Choice
}

// Options returns the settings of the form.
func (p marketplacesPage) Options() []Setting {
	return []Setting{
		p.setting("location", "Ship from", p.Settings.LocationKey, p.Choices.Locations),
		p.setting("fulfillment_policy", "Shipping policy", p.Settings.FulfillmentPolicyID, p.Choices.Fulfillment),
		p.setting("payment_policy", "Payment policy", p.Settings.PaymentPolicyID, p.Choices.Payment),
		p.setting("return_policy", "Return policy", p.Settings.ReturnPolicyID, p.Choices.Return),
	}
}

func (p marketplacesPage) setting(name, label, chosen string, choices []ebayapi.Choice) Setting {
	return Setting{Name: name, Label: label, Chosen: chosen, Error: p.Form.Error(name), Choices: choices}
}

// doneTexts say what a redirect reports as done.
var doneTexts = map[string]string{
	"connected": "The account is connected to eBay.", "saved": "Saved.", "location": "The place was created at eBay.",
	"disconnected": "The account is not connected to eBay any more.",
	"given-up":     "The listings are given up. They end within a moment.",
}

func (h *Handlers) ShowMarketplaces(w http.ResponseWriter, r *http.Request) error {
	return h.renderMarketplaces(w, r, http.StatusOK, marketplacesPage{Done: doneTexts[r.URL.Query().Get("done")]})
}

// renderMarketplaces adds the state of the connection and what can be chosen to the page, and shows it.
func (h *Handlers) renderMarketplaces(w http.ResponseWriter, r *http.Request, status int, p marketplacesPage) error {
	account := web.VisitOf(r).Account
	if p.Form == nil {
		p.Form = ebayForm()
	}
	p.Available, p.Sandbox, p.Sites = h.Ebay != nil, account.Sandbox, wire.Sites()
	if !p.Available || p.Sandbox {
		return h.Show(w, r, status, "marketplaces", "Marketplaces", p)
	}
	var err error
	if p.Connection, err = h.Connections.Find(r.Context(), account.ID); err != nil {
		return err
	}
	if site := p.Form.Of("site"); site.Value == "" {
		site.Value = p.Connection.Site
	}
	if p.Connected() {
		if err := h.loadEbayChoices(r, &p); err != nil {
			return err
		}
	} else if p.Open, err = h.Listings.CountOpen(r.Context(), account.ID, ebay.Name); err != nil {
		return err
	}
	if p.Calls, err = h.Ebay.Calls(r.Context(), account.ID); err != nil {
		return err
	}
	names, err := h.NamesOf(r.Context(), account.ID, []caller.Actor{p.Connection.Actor})
	if err != nil {
		return err
	}
	if p.Who = names[p.Connection.Actor]; p.Connection.Actor.Type == caller.WorkerActor {
		p.Who = "the operator"
	}
	return h.Show(w, r, status, "marketplaces", "Marketplaces", p)
}

// loadEbayChoices reads what the owner can choose from. If eBay reports that the consent was revoked, the page shows
// that.
func (h *Handlers) loadEbayChoices(r *http.Request, p *marketplacesPage) error {
	account := web.VisitOf(r).Account.ID
	choices, err := h.Ebay.Choices(r.Context(), account, p.Connection.Site)
	if err == nil {
		p.Choices = &choices
		if p.Settings == (connections.Settings{}) {
			p.Settings = ebay.Defaults(p.Connection.Settings, choices)
		}
		return nil
	}
	f, ok := fault.As(err)
	if !ok {
		return err
	}
	p.Unknown = f.Message
	p.Connection, err = h.Connections.Find(r.Context(), account)
	return err
}

// refuseMarketplaces shows a fault on the page.
func (h *Handlers) refuseMarketplaces(w http.ResponseWriter, r *http.Request, p marketplacesPage, err error) error {
	f, ok := fault.As(err)
	if !ok {
		return err
	}
	if p.Form == nil {
		p.Form = ebayForm()
	}
	p.Form.Refuse(f)
	return h.renderMarketplaces(w, r, form.Status(f), p)
}

// ConnectEbay leads to eBay.
func (h *Handlers) ConnectEbay(w http.ResponseWriter, r *http.Request) error {
	f := ebayForm().Read(r.PostForm)
	address, err := h.Connections.Begin(r.Context(), web.VisitOf(r).Account.ID, f.Value("site"))
	if err != nil {
		return h.refuseMarketplaces(w, r, marketplacesPage{Form: f}, err)
	}
	return h.Leave(w, r, "Connect eBay", address)
}

// FinishEbay connects the account with eBay's answer and chooses the settings of which there is one. If these cannot be
// read now, the owner chooses them later.
func (h *Handlers) FinishEbay(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account.ID
	if _, err := h.Connections.Complete(r.Context(), account, r.URL.Query()); err != nil {
		return h.refuseMarketplaces(w, r, marketplacesPage{}, err)
	}
	if _, err := h.Ebay.UseDefaults(r.Context(), account); err != nil {
		h.Logger.WarnContext(r.Context(), "dashboard: settings at eBay not read", "account_id", account, "error", err)
	}
	if err := h.Ebay.Subscribe(r.Context(), account); err != nil { // polling finds the sales too
		h.Logger.WarnContext(r.Context(), "dashboard: no notifications of eBay", "account_id", account, "error", err)
	}
	web.Redirect(w, r, marketplacesPath+"?done=connected")
	return nil
}

// ConfigureEbay stores the site and the settings. Policies of another site have to be chosen again.
func (h *Handlers) ConfigureEbay(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account.ID
	c, err := h.Connections.Find(r.Context(), account)
	if err != nil {
		return err
	}
	f := ebayForm().Read(r.PostForm)
	p := marketplacesPage{Form: f, Settings: connections.Settings{LocationKey: f.Value("location")}}
	if f.Value("site") == c.Site {
		p.Settings.FulfillmentPolicyID = f.Value("fulfillment_policy")
		p.Settings.PaymentPolicyID, p.Settings.ReturnPolicyID = f.Value("payment_policy"), f.Value("return_policy")
	}
	if err := h.Ebay.Configure(r.Context(), account, f.Value("site"), p.Settings); err != nil {
		return h.refuseMarketplaces(w, r, p, err)
	}
	web.Redirect(w, r, marketplacesPath+"?done=saved")
	return nil
}

func (h *Handlers) CreateEbayLocation(w http.ResponseWriter, r *http.Request) error {
	f := ebayForm().Read(r.PostForm)
	address := wire.Address{Country: f.Text("country"), PostalCode: f.Text("postal_code")}
	if err := h.Ebay.CreateLocation(r.Context(), web.VisitOf(r).Account.ID, f.Text("name"), address); err != nil {
		return h.refuseMarketplaces(w, r, marketplacesPage{Form: f}, err)
	}
	web.Redirect(w, r, marketplacesPath+"?done=location")
	return nil
}

func (h *Handlers) ConfirmDisconnectEbay(w http.ResponseWriter, r *http.Request) error {
	return h.Show(w, r, http.StatusOK, "marketplace-disconnect", "Disconnect eBay", nil)
}

func (h *Handlers) DisconnectEbay(w http.ResponseWriter, r *http.Request) error {
	if err := h.Connections.Disconnect(r.Context(), web.VisitOf(r).Account.ID); err != nil {
		return err
	}
	web.Redirect(w, r, marketplacesPath+"?done=disconnected")
	return nil
}

// giveUpPage is the data of the page that confirms giving up.
type giveUpPage struct{ Open int } // listings on eBay

func (h *Handlers) ConfirmGiveUpEbay(w http.ResponseWriter, r *http.Request) error {
	open, err := h.Listings.CountOpen(r.Context(), web.VisitOf(r).Account.ID, ebay.Name)
	if err != nil {
		return err
	}
	return h.Show(w, r, http.StatusOK, "marketplace-give-up", "Give up listings on eBay", giveUpPage{open})
}

// GiveUpEbay gives up the listings of an account that is not connected. Those of a connected one can be ended.
func (h *Handlers) GiveUpEbay(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account.ID
	c, err := h.Connections.Find(r.Context(), account)
	if err != nil {
		return err
	}
	if c.State == connections.Connected {
		return h.refuseMarketplaces(w, r, marketplacesPage{}, fault.New(fault.InvalidRequest,
			"The account is connected to eBay, so its listings can be ended. Disconnect it before you give them up."))
	}
	if _, err := h.Listings.GiveUp(r.Context(), account, ebay.Name); err != nil {
		return err
	}
	web.Redirect(w, r, marketplacesPath+"?done=given-up")
	return nil
}
