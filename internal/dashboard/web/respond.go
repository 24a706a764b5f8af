package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/cardvault/cardvault/internal/fault"
)

// Show renders a page.
func (frame *Frame) Show(w http.ResponseWriter, r *http.Request, status int, name, title string, data any) error {
	v := View{Page: name, Title: title, Path: r.URL.Path, Visit: VisitOf(r), Data: data}
	if whole(r) {
		v.Reviews = frame.reviewsLeft(r)
	}
	return frame.ShowView(w, r, status, v)
}

// whole reports whether the browser shows the frame of the page too. A script takes only a part of the page.
func whole(r *http.Request) bool { return r.Header.Get("HX-Request") != "true" }

// ShowView renders a page. It is complete before the first byte is sent, so an error of a template never cuts a page.
// Users whose access has ended since the request began see no page of the account, also none that shows a form again.
func (frame *Frame) ShowView(w http.ResponseWriter, r *http.Request, status int, v View) error {
	if visit := VisitOf(r); visit != nil && visit.ended.Load() {
		status = http.StatusForbidden
		v = View{Page: "problem", Title: http.StatusText(status), Path: r.URL.Path, Data: problem{endedMessage}}
	}
	if v.Path == SearchPath {
		v.Search = r.URL.Query().Get("q")
	}
	// The page of an error makes no queries, and the page of marketplaces says so itself.
	if v.Page != "problem" && v.Page != "marketplaces" && whole(r) {
		v.Revoked = frame.revoked(r)
	}
	out := newBuffer()
	defer out.free()
	if err := frame.Templates.Render(out, v); err != nil {
		return err
	}
	writePage(w, r, status, out)
	return nil
}

// SearchPath is the path of the search in the frame.
const SearchPath = "/search"

const endedMessage = "You may not do this any more, because your access to the account has changed."

// problem is the data of the page problem.
type problem struct{ Message string }

// Fail shows an error. What is not a fault is logged, and the page does not tell it. A browser that left, for example
// because the next letter of a search was typed, is not an error of the server.
func (frame *Frame) Fail(w http.ResponseWriter, r *http.Request, err error) {
	f, ok := fault.As(err)
	if !ok {
		f = Unexpected(err)
	}
	if !ok && !errors.Is(r.Context().Err(), context.Canceled) {
		frame.Logger.ErrorContext(r.Context(), "dashboard: unexpected error", "path", r.URL.Path, "error", err)
	}
	SetRetryAfter(w, f)
	title := http.StatusText(f.Status())
	v := View{Page: "problem", Title: title, Path: r.URL.Path, Visit: VisitOf(r), Data: problem{f.Message}}
	if err := frame.ShowView(w, r, f.Status(), v); err != nil {
		frame.Logger.ErrorContext(r.Context(), "dashboard: the page of an error", "error", err)
		http.Error(w, title, http.StatusInternalServerError)
	}
}

// Unexpected returns what is shown for an error that is not a fault.
func Unexpected(err error) *fault.Error {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return fault.New(fault.PayloadTooLarge, "This form is too large. Send at most %d kB.", tooLarge.Limit>>10)
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.Unavailable, "This took too long. Try again in a moment.")
	}
	return fault.New(fault.InternalError, "Something went wrong on the server. Try again in a moment.")
}

// SetRetryAfter tells the client how long to wait, if the fault says so.
func SetRetryAfter(w http.ResponseWriter, f *fault.Error) {
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(f.RetryAfter.Seconds())))
	}
}

// NotFound shows that there is no such page.
func (frame *Frame) NotFound(w http.ResponseWriter, r *http.Request) {
	frame.Handle(frame.inFrame(func(http.ResponseWriter, *http.Request) error { return ErrNoPage })).ServeHTTP(w, r)
}

// ErrNoPage is the error of a page that does not exist.
var ErrNoPage = fault.New(fault.RouteNotFound, "There is no such page, or you may not see it.")

// MethodNotAllowed shows that a page takes no requests with this method.
func (frame *Frame) MethodNotAllowed(w http.ResponseWriter, r *http.Request) {
	frame.Fail(w, r, fault.New(fault.MethodNotAllowed, "This page does not take requests of this kind."))
}

// RefuseCrossOrigin refuses a form of another site.
func (frame *Frame) RefuseCrossOrigin(w http.ResponseWriter, r *http.Request) {
	frame.Fail(w, r, fault.New(fault.InsufficientScope,
		"The request came from a page of another site and was refused. Open the page here and try again."))
}

// inFrame adds the visit to the request, if there is one, so that an error is shown within the frame.
func (frame *Frame) inFrame(next Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if v, err := frame.FindVisit(r.Context()); err == nil && v != nil {
			r = r.WithContext(context.WithValue(r.Context(), visitKey{}, v))
		}
		if err := next(w, r); err != nil {
			frame.Fail(w, r, err)
		}
		return nil
	}
}

// parseForm parses the body of a form.
func parseForm(r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return err
		}
		return fault.New(fault.InvalidRequest, "The form could not be read. Open the page again and repeat it.")
	}
	return nil
}

// leavePage is the data of the page signon.
type leavePage struct{ Label, Host, URL string }

// Leave shows a page that leads to another site at once. A redirect would not: the policy lets forms lead to this site
// only, browsers apply this to redirects too, and the sites redirect on to sites that CardVault does not know.
func (frame *Frame) Leave(w http.ResponseWriter, r *http.Request, label, address string) error {
	host := ""
	if u, err := url.Parse(address); err == nil {
		host = u.Host
	}
	return frame.Show(w, r, http.StatusOK, "signon", label, leavePage{label, host, address})
}

// ShowEnd has a page whose progress is read every second be loaded again once the work has ended.
func ShowEnd(w http.ResponseWriter, r *http.Request, running bool) {
	if !running && r.Header.Get("HX-Request") == "true" {
		w.Header().Set("HX-Refresh", "true")
	}
}
