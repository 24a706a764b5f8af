package developers

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// tokensPage is the data of the page tokens.
type tokensPage struct {
	Tokens  []shownToken
	History usageHistory
	Scopes  []chosenScope
	Grace   []gracePeriod
	Shared  bool       // whether the usage has the requests to all processes of the service
	Form    *form.Form // of a new token
	Secret  string     // of the token that was created, which is not shown again
}

// shownToken is a token as a row of the table.
type shownToken struct {
	accounts.Token
	Usage   []windowUsage // nil if it has stopped working
	Revoked bool          // it has stopped working
}

// ScopeList returns the scopes for readers: "read, write".
func (t shownToken) ScopeList() string { return strings.ReplaceAll(t.Scopes, ",", ", ") }

// chosenScope is a scope with its box in the form.
type chosenScope struct {
	Scope   caller.Scope
	Checked bool
}

// gracePeriod is how long a token still works after it is rotated.
type gracePeriod struct {
	Label   string
	Seconds int
}

var gracePeriods = []gracePeriod{{"no time", 0}, {"an hour", 3600}, {"a day", 24 * 3600}, {"a week", 7 * 24 * 3600}}

// parseGrace returns how long an old token or secret still works, as the form says.
func parseGrace(sent url.Values) (time.Duration, error) {
	longest := gracePeriods[len(gracePeriods)-1].Seconds
	seconds, err := strconv.Atoi(sent.Get("grace"))
	if err != nil || seconds < 0 || seconds > longest {
		return 0, fault.Invalid("grace", "must be a number of seconds up to %d", longest)
	}
	return time.Duration(seconds) * time.Second, nil
}

func (h *Handlers) ListTokens(w http.ResponseWriter, r *http.Request) error {
	return h.showTokens(w, r, http.StatusOK, tokensPage{Scopes: scopes(caller.DefaultScopes)})
}

// showTokens adds the account's tokens to the page and shows it.
func (h *Handlers) showTokens(w http.ResponseWriter, r *http.Request, status int, p tokensPage) error {
	tokens, err := h.Accounts.Tokens(r.Context(), web.VisitOf(r).Account.ID)
	if err != nil {
		return err
	}
	now, names := h.Clock.Time(), map[string]string{}
	for _, token := range tokens {
		limits, err := ratelimit.ParseLimits(token.Limits)
		if err != nil {
			return err
		}
		shown := shownToken{Token: token, Revoked: token.RevokedAt != nil && !token.RevokedAt.After(now)}
		if !shown.Revoked {
			shown.Usage = h.usageOf(r.Context(), token.ID, limits.Or(h.Limits))
		}
		p.Tokens = append(p.Tokens, shown)
		names[token.ID] = token.Name
	}
	p.History, err = h.usageHistory(r, names)
	if err != nil {
		return err
	}
	p.Grace, p.Shared = gracePeriods, h.SharedLimiter
	if p.Form == nil {
		p.Form = tokenForm()
	}
	return h.Show(w, r, status, "tokens", "Tokens", p)
}

// CreateToken creates a token and shows its secret in the response, because it is not stored. The limits are the
// service's: an account must not raise them by itself.
func (h *Handlers) CreateToken(w http.ResponseWriter, r *http.Request) error {
	var chosen []caller.Scope
	for _, scope := range caller.Scopes {
		if r.PostForm.Has("scope-" + string(scope)) {
			chosen = append(chosen, scope)
		}
	}
	f := tokenForm().Read(r.PostForm)
	secret, err := "", error(errNoScope)
	if len(chosen) > 0 {
		account, name := web.VisitOf(r).Account.ID, f.Text("name")
		_, secret, err = h.Accounts.CreateToken(r.Context(), account, name, ratelimit.Limits{}, chosen...)
	}
	if refused, ok := list.Invalid(err); ok {
		f.Refuse(refused)
		return h.showTokens(w, r, form.Status(refused), tokensPage{Form: f, Scopes: scopes(chosen)})
	}
	if err != nil {
		return err
	}
	return h.showTokens(w, r, http.StatusOK, tokensPage{Secret: secret, Scopes: scopes(caller.DefaultScopes)})
}

var errNoScope = fault.New(fault.InvalidRequest, "Choose at least one scope.")

// tokenForm returns the form that creates a token.
func tokenForm() *form.Form { return form.New(form.Field{Name: "name", Label: "Name"}) }

// NameError returns why no token was created, or "".
func (p tokensPage) NameError() string { return cmp.Or(p.Form.Error("name"), p.Form.Failed) }

// scopes returns all scopes, those in the list checked.
func scopes(list []caller.Scope) []chosenScope {
	all := make([]chosenScope, len(caller.Scopes))
	for i, scope := range caller.Scopes {
		all[i].Scope = scope
		for _, one := range list {
			all[i].Checked = all[i].Checked || one == scope
		}
	}
	return all
}

// ownToken returns the token that the path names, if the account has it.
func (h *Handlers) ownToken(r *http.Request) (accounts.Token, error) {
	return h.Accounts.Token(r.Context(), web.VisitOf(r).Account.ID, mux.Vars(r)["id"])
}

func (h *Handlers) RotateToken(w http.ResponseWriter, r *http.Request) error {
	token, err := h.ownToken(r)
	if err != nil {
		return err
	}
	grace, err := parseGrace(r.PostForm)
	if err != nil {
		return err
	}
	_, secret, err := h.Accounts.RotateToken(r.Context(), token.ID, grace)
	if err != nil {
		return err
	}
	return h.showTokens(w, r, http.StatusOK, tokensPage{Secret: secret, Scopes: scopes(caller.DefaultScopes)})
}

func (h *Handlers) RevokeToken(w http.ResponseWriter, r *http.Request) error {
	token, err := h.ownToken(r)
	if err != nil {
		return err
	}
	if _, err := h.Accounts.RevokeToken(r.Context(), token.ID); err != nil {
		return err
	}
	web.Redirect(w, r, "/developers/tokens")
	return nil
}
