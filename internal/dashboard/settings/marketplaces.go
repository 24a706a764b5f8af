package settings

import (
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces/callbudget"
	"github.com/cardvault/cardvault/internal/marketplaces/connections"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
)

const marketplacesPath = settingsPath + "/marketplaces"

// ConnectTime is how long a marketplace's answer may take to be accepted: tokens, and what the seller can choose from.
const ConnectTime = 45 * time.Second

// OnMarket is a handler of a page of one marketplace.
type OnMarket func(w http.ResponseWriter, r *http.Request, m registry.Market) error

// marketPath returns the address of the pages of a marketplace.
func MarketPath(m registry.Market) string { return marketplacesPath + "/" + m.Name }

// IfAvailable calls the handler if the account can be connected to the marketplace.
func (h *Handlers) IfAvailable(m registry.Market, next OnMarket) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		switch {
		case !m.Available():
			return fault.New(fault.InvalidRequest,
				"This server is not set up to sell on %s. Its operator sets the keys of %[1]s.", m.Label)
		case web.VisitOf(r).Account.Sandbox:
			return fault.New(fault.InvalidRequest, "Sandbox accounts sell on the sandbox marketplace only.")
		}
		return next(w, r, m)
	}
}

// marketplacesPage is the data of the page marketplaces.
type marketplacesPage struct {
	Sandbox bool     // whether it is a sandbox account
	Labels  []string // of the marketplaces
	Markets []marketSection
	Done    string // what was done
	Failed  string // why it was refused
}

// Available reports whether an account can be connected to a marketplace.
func (p marketplacesPage) Available() bool {
	for _, m := range p.Markets {
		if m.Available() {
			return true
		}
	}
	return false
}

// marketSection is the part of the page about one marketplace.
type marketSection struct {
	registry.Market
	marketForm
	First      bool // whether it is the first of the page
	Connection connections.Connection
	Who        string // who connected the account
	Setup      *registry.Setup
	Unknown    string         // why the settings cannot be shown
	Calls      callbudget.Day // of the account
	Open       int            // listings, if the account is not connected
}

// marketForm is what a form about a marketplace was sent with.
type marketForm struct {
	Typed  registry.Values
	Failed string            // why it was refused
	Errors map[string]string // why values were refused, by the name of the field
}

// marked reports whether the section shows an error beside a field.
func (s marketSection) marked() bool {
	if !s.Connected() {
		return s.Errors[registry.Site] != ""
	}
	return s.Setup != nil && len(s.Errors) > 0
}

// Connected reports whether the account is connected.
func (s marketSection) Connected() bool { return s.Connection.State == connections.Connected }

// Revoked reports whether the marketplace ended the connection.
func (s marketSection) Revoked() bool { return s.Connection.State == connections.Revoked }

// Path returns the address of the marketplace's pages.
func (s marketSection) Path() string { return MarketPath(s.Market) }

// SiteName returns the name of the site to which the account is connected, or "".
func (s marketSection) SiteName() string {
	for _, field := range s.Connect.Fields {
		if field.Name == registry.Site {
			return field.LabelOf(s.Connection.Site)
		}
	}
	return ""
}

// Ready reports whether the account can publish there.
func (s marketSection) Ready() bool { return s.Connected() && s.Connector.Complete(s.Connection) }

// shownField is a field as the page shows it, with the identifiers of its parts in the page.
type shownField struct {
	registry.Field
	ID, HintID, ErrorID string
	Error               string
}

// DescribedBy returns the identifiers of the texts that describe the field.
func (f shownField) DescribedBy() string {
	var ids []string
	if f.HintID != "" {
		ids = append(ids, f.HintID)
	}
	if f.Error != "" {
		ids = append(ids, f.ErrorID)
	}
	return strings.Join(ids, " ")
}

// field returns a field with what was typed.
func (s marketSection) field(f registry.Field, prefix string) shownField {
	if typed, ok := s.Typed[f.Name]; ok && !f.Secret {
		f.Value = typed
	}
	if f.Max == 0 {
		f.Max = 200
	}
	shown := shownField{
		Field: f, ID: s.ID(prefix + f.Name), ErrorID: s.ID("e-" + f.Name), Error: s.Errors[f.Name],
	}
	if f.Hint != "" {
		shown.HintID = s.ID("h-" + f.Name)
	}
	return shown
}

// ID returns an identifier in the page.
func (s marketSection) ID(name string) string {
	if s.First {
		return name
	}
	return s.Name + "-" + name
}

// ConnectFields returns the fields of the form that connects the account. A site that was chosen before is kept.
func (s marketSection) ConnectFields() (fields []shownField) {
	for _, f := range s.Connect.Fields {
		if f.Name == registry.Site {
			f.Value = s.Connection.Site
		}
		fields = append(fields, s.field(f, "connect-"))
	}
	return fields
}

// SetupFields returns the fields of the settings, which show what was typed already. The hint of the form describes the
// site.
func (s marketSection) SetupFields() (fields []shownField) {
	for _, f := range s.Setup.Fields {
		shown := s.field(f, "")
		shown.Value = f.Value
		if f.Name == registry.Site {
			shown.HintID = s.ID("h-settings")
		}
		fields = append(fields, shown)
	}
	return fields
}

// shownAction is an action as the page shows it.
type shownAction struct {
	registry.Action
	Path   string
	Fields []shownField
}

// Actions returns the actions that are of use now.
func (s marketSection) Actions() (actions []shownAction) {
	for _, name := range s.Setup.Actions {
		for _, a := range s.Connect.Actions {
			if a.Name != name {
				continue
			}
			shown := shownAction{Action: a, Path: s.Path() + "/" + a.Name}
			for _, f := range a.Fields {
				shown.Fields = append(shown.Fields, s.field(f, ""))
			}
			actions = append(actions, shown)
		}
	}
	return actions
}

// done returns the address that reports what was done.
func (h *Handlers) done(m registry.Market, what string) string {
	query := url.Values{"done": {what}}
	if first := h.Markets.Connectable()[0]; first.Name != m.Name {
		query.Set("marketplace", m.Name)
	}
	return marketplacesPath + "?" + query.Encode()
}

// doneText returns what a redirect reports as done.
func (h *Handlers) doneText(query url.Values) string {
	markets := h.Markets.Connectable()
	if len(markets) == 0 {
		return ""
	}
	m, ok := markets.Find(query.Get("marketplace"))
	if !ok {
		m = markets[0]
	}
	switch what := query.Get("done"); what {
	case "connected":
		return "The account is connected to " + m.Label + "."
	case "saved":
		return "Saved."
	case "disconnected":
		return "The account is not connected to " + m.Label + " any more."
	case "given-up":
		return "The listings are given up. They end within a moment."
	default:
		for _, action := range m.Connect.Actions {
			if action.Name == what {
				return action.Done
			}
		}
	}
	return ""
}

// ShowMarketplaces shows the connections of the account.
func (h *Handlers) ShowMarketplaces(w http.ResponseWriter, r *http.Request) error {
	page := marketplacesPage{Done: h.doneText(r.URL.Query())}
	return h.renderMarketplaces(w, r, http.StatusOK, page, "", marketForm{})
}

// renderMarketplaces adds the marketplaces to the page and shows it. The form is of the marketplace with the name.
func (h *Handlers) renderMarketplaces(
	w http.ResponseWriter, r *http.Request, status int, p marketplacesPage, name string, sent marketForm,
) error {
	account := web.VisitOf(r).Account
	p.Sandbox = account.Sandbox
	for i, m := range h.Markets.Connectable() {
		section := marketSection{Market: m, First: i == 0}
		if m.Name == name {
			section.marketForm = sent
		}
		if m.Available() && !p.Sandbox {
			if err := h.loadSection(r, &section); err != nil {
				return err
			}
		}
		if section.Failed != "" && !section.marked() {
			p.Failed = section.Failed
		}
		p.Labels, p.Markets = append(p.Labels, m.Label), append(p.Markets, section)
	}
	return h.Show(w, r, status, "marketplaces", "Marketplaces", p)
}

// loadSection adds the state of the account's connection and what can be chosen.
func (h *Handlers) loadSection(r *http.Request, s *marketSection) (err error) {
	ctx, account := r.Context(), web.VisitOf(r).Account.ID
	if s.Connection, err = s.Connector.Connections().Find(ctx, account); err != nil {
		return err
	}
	if s.Connected() {
		if err := h.loadSetup(r, s); err != nil {
			return err
		}
	} else if s.Open, err = h.Listings.CountOpen(ctx, account, s.Name); err != nil {
		return err
	}
	if s.Budget != nil {
		if s.Calls, err = s.Budget.Today(ctx, account); err != nil {
			return err
		}
	}
	names, err := h.NamesOf(ctx, account, []caller.Actor{s.Connection.Actor})
	if err != nil {
		return err
	}
	if s.Who = names[s.Connection.Actor]; s.Connection.Actor.Type == caller.WorkerActor {
		s.Who = "the operator"
	}
	return nil
}

// loadSetup reads what the owner can choose from. If the marketplace reports that the consent was revoked, the page
// shows that.
func (h *Handlers) loadSetup(r *http.Request, s *marketSection) error {
	account := web.VisitOf(r).Account.ID
	setup, err := s.Connector.Setup(r.Context(), s.Connection, account, s.Typed)
	if err == nil {
		s.Setup = &setup
		return nil
	}
	f, ok := fault.As(err)
	if !ok {
		return err
	}
	s.Unknown = f.Message
	s.Connection, err = s.Connector.Connections().Find(r.Context(), account)
	return err
}

// refuseMarket shows a fault on the page, beside the form of the marketplace.
func (h *Handlers) refuseMarket(
	w http.ResponseWriter, r *http.Request, m registry.Market, typed registry.Values, err error,
) error {
	f, ok := fault.As(err)
	if !ok {
		return err
	}
	sent := marketForm{Typed: typed, Failed: f.Message, Errors: map[string]string{}}
	for _, detail := range f.Details {
		sent.Errors[detail.Field] = detail.Message
	}
	if len(f.Details) > 1 {
		sent.Failed = form.Marked
	}
	return h.renderMarketplaces(w, r, form.Status(f), marketplacesPage{}, m.Name, sent)
}

// values returns what was typed into fields.
func values(r *http.Request, fields []registry.Field) registry.Values {
	all := registry.Values{}
	for _, f := range fields {
		all[f.Name] = form.Clean(r.PostForm.Get(f.Name))
	}
	return all
}

// ConnectMarket leads to the marketplace, or connects the account if the form has all that is needed.
func (h *Handlers) ConnectMarket(w http.ResponseWriter, r *http.Request, m registry.Market) error {
	given := values(r, m.Connect.Fields)
	address, err := m.Connector.Begin(r.Context(), web.VisitOf(r).Account.ID, given)
	if err != nil {
		return h.refuseMarket(w, r, m, given, err)
	}
	if address == "" {
		return h.marketConnected(w, r, m)
	}
	return h.Leave(w, r, "Connect "+m.Label, address)
}

// FinishMarket connects the account with the marketplace's answer.
func (h *Handlers) FinishMarket(w http.ResponseWriter, r *http.Request, m registry.Market) error {
	_, err := m.Connector.Connections().Complete(r.Context(), web.VisitOf(r).Account.ID, r.URL.Query())
	if err != nil {
		return h.refuseMarket(w, r, m, nil, err)
	}
	return h.marketConnected(w, r, m)
}

// marketConnected prepares an account that was connected just now. What cannot be prepared now, the owner does later.
func (h *Handlers) marketConnected(w http.ResponseWriter, r *http.Request, m registry.Market) error {
	account := web.VisitOf(r).Account.ID
	for _, warning := range m.Connector.Connected(r.Context(), account) {
		h.Logger.WarnContext(r.Context(), "dashboard: account connected with a warning", "marketplace", m.Name,
			"account_id", account, "warning", warning.Text, "error", warning.Err)
	}
	web.Redirect(w, r, h.done(m, "connected"))
	return nil
}

// ConfigureMarket stores the settings.
func (h *Handlers) ConfigureMarket(w http.ResponseWriter, r *http.Request, m registry.Market) error {
	given := registry.Values{}
	for name := range r.PostForm {
		given[name] = r.PostForm.Get(name)
	}
	if err := m.Connector.Configure(r.Context(), web.VisitOf(r).Account.ID, given); err != nil {
		return h.refuseMarket(w, r, m, given, err)
	}
	web.Redirect(w, r, h.done(m, "saved"))
	return nil
}

// ActOnMarket does an action at the marketplace.
func (h *Handlers) ActOnMarket(
	w http.ResponseWriter, r *http.Request, m registry.Market, action registry.Action,
) error {
	given := values(r, action.Fields)
	if err := m.Connector.Do(r.Context(), web.VisitOf(r).Account.ID, action.Name, given); err != nil {
		return h.refuseMarket(w, r, m, given, err)
	}
	web.Redirect(w, r, h.done(m, action.Name))
	return nil
}

// ShowMarketPage shows the page that the marketplace brings.
func (h *Handlers) ShowMarketPage(w http.ResponseWriter, r *http.Request, m registry.Market) error {
	body, err := m.Page(r.Context(), web.VisitOf(r).Account.ID)
	if err != nil {
		return err
	}
	return h.Show(w, r, http.StatusOK, "marketplace-page", m.Label, marketPage{m, body})
}

// marketPage is the data of the page marketplace-page.
type marketPage struct {
	registry.Market
	Body template.HTML
}

// DisconnectMarket disconnects the account.
func (h *Handlers) DisconnectMarket(w http.ResponseWriter, r *http.Request, m registry.Market) error {
	if err := m.Connector.Connections().Disconnect(r.Context(), web.VisitOf(r).Account.ID); err != nil {
		return err
	}
	web.Redirect(w, r, h.done(m, "disconnected"))
	return nil
}

// ConfirmDisconnect asks whether the account is to be disconnected.
func (h *Handlers) ConfirmDisconnect(w http.ResponseWriter, r *http.Request, m registry.Market) error {
	return h.Show(w, r, http.StatusOK, "marketplace-disconnect", "Disconnect "+m.Label, m)
}

// giveUpPage is the data of the page that confirms giving up.
type giveUpPage struct {
	registry.Market
	Open int // listings there
}

// ConfirmGiveUp asks whether the listings are to be given up.
func (h *Handlers) ConfirmGiveUp(w http.ResponseWriter, r *http.Request, m registry.Market) error {
	open, err := h.Listings.CountOpen(r.Context(), web.VisitOf(r).Account.ID, m.Name)
	if err != nil {
		return err
	}
	title := "Give up listings on " + m.Label
	return h.Show(w, r, http.StatusOK, "marketplace-give-up", title, giveUpPage{m, open})
}

// GiveUpMarket gives up the listings of an account that is not connected. Those of a connected one can be ended.
func (h *Handlers) GiveUpMarket(w http.ResponseWriter, r *http.Request, m registry.Market) error {
	account := web.VisitOf(r).Account.ID
	c, err := m.Connector.Connections().Find(r.Context(), account)
	if err != nil {
		return err
	}
	if c.State == connections.Connected {
		return h.refuseMarket(w, r, m, nil, fault.New(fault.InvalidRequest,
			"The account is connected to %s, so its listings can be ended. Disconnect it before you give them up.",
			m.Label))
	}
	if _, err := h.Listings.GiveUp(r.Context(), account, m.Name); err != nil {
		return err
	}
	web.Redirect(w, r, h.done(m, "given-up"))
	return nil
}
