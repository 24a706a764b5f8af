package dashboard

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/users"
)

// loginForm is the data of the page login.
type loginForm struct {
	Email, Next string
	Error       string // of the address and the password
	Refused     string // why a log-in at the identity provider failed
	SignOn      *signOnButton
}

func (d *Dashboard) showLogin(w http.ResponseWriter, r *http.Request) error {
	v, err := d.visit(r.Context())
	next := localPath(r.URL.Query().Get("next"))
	if err == nil && v != nil {
		redirect(w, r, next)
		return nil
	}
	return d.showLoginForm(w, r, http.StatusOK, loginForm{Next: next})
}

func (d *Dashboard) showLoginForm(w http.ResponseWriter, r *http.Request, status int, p loginForm) error {
	p.SignOn = d.signOnButton(p.Next)
	return d.show(w, r, status, "login", "Log in", p)
}

func (d *Dashboard) logIn(w http.ResponseWriter, r *http.Request) error {
	p := loginForm{Email: blank.Trim(r.PostFormValue("email")), Next: localPath(r.PostFormValue("next"))}
	user, err := d.Users.LogIn(r.Context(), d.client(r), p.Email, r.PostFormValue("password"))
	if f, ok := fault.As(err); ok {
		p.Error = f.Message
		setRetryAfter(w, f)
		return d.showLoginForm(w, r, form.Status(f), p)
	}
	if err != nil {
		return err
	}
	if err := d.begin(w, r, user); err != nil {
		return err
	}
	redirect(w, r, p.Next)
	return nil
}

// deviceCookie is the prefix of the cookies by which a browser is known to have been used by a user before.
const deviceCookie = "cardvault_device_"

// client returns where a request comes from.
func (d *Dashboard) client(r *http.Request) users.Client {
	from := users.Client{Address: d.ClientAddress(r)}
	for _, cookie := range r.Cookies() {
		if strings.HasPrefix(cookie.Name, deviceCookie) {
			from.Devices = append(from.Devices, cookie.Value)
		}
	}
	return from
}

// setDevice lets the browser show later that the user has logged in with it. Several users may share a browser.
func (d *Dashboard) setDevice(w http.ResponseWriter, r *http.Request, l users.Login) {
	sum := sha256.Sum256([]byte(l.ID))
	http.SetCookie(w, &http.Cookie{
		Name: deviceCookie + hex.EncodeToString(sum[:4]), Value: d.Users.DeviceToken(l, d.client(r)), Path: "/",
		MaxAge: int(users.DeviceLifetime.Seconds()), HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: d.sessions.Cookie.Secure,
	})
}

// begin begins a session with a new token, so that a token from before the log-in gives no access.
func (d *Dashboard) begin(w http.ResponseWriter, r *http.Request, l users.Login) error {
	d.setDevice(w, r, l)
	ctx := r.Context()
	if err := d.sessions.RenewToken(ctx); err != nil {
		return err
	}
	users.BeginSession(ctx, l)
	d.sessions.Put(ctx, keyUser, l.ID)
	d.sessions.Put(ctx, keyProof, l.Proof.String())
	generation := l.Generation
	if !l.Current() {
		generation = -1 // the version before would open all accounts of the user
	}
	d.sessions.Put(ctx, keyGeneration, generation)
	d.sessions.Put(ctx, keySignedOn, l.Proof.Verified)
	return nil
}

func (d *Dashboard) logOut(w http.ResponseWriter, r *http.Request) error {
	if err := d.sessions.Destroy(r.Context()); err != nil {
		return err
	}
	redirect(w, r, "/login")
	return nil
}

func (d *Dashboard) logOutEverywhere(w http.ResponseWriter, r *http.Request) error {
	if err := d.Users.LogOutEverywhere(r.Context(), visitOf(r).User); err != nil {
		return err
	}
	return d.logOut(w, r)
}

func (d *Dashboard) switchAccount(w http.ResponseWriter, r *http.Request) error {
	chosen := r.PostFormValue("account")
	for _, account := range visitOf(r).Accounts {
		if account.ID == chosen {
			d.sessions.Put(r.Context(), keyAccount, account.ID)
			redirect(w, r, "/")
			return nil
		}
	}
	return fault.NotFound(fault.RouteNotFound)
}
