package dashboard

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/cardvault/cardvault/internal/fault"
)

// show renders a page.
func (d *Dashboard) show(w http.ResponseWriter, r *http.Request, status int, name, title string, data any) error {
	v := view{Page: name, Title: title, Path: r.URL.Path, Visit: visitOf(r), Data: data}
	if whole(r) {
		v.Reviews = d.reviewsLeft(r)
	}
	return d.showView(w, r, status, v)
}

// whole reports whether the browser shows the frame of the page too. A script takes only a part of the page.
func whole(r *http.Request) bool { return r.Header.Get("HX-Request") != "true" }

// showView renders a page. It is complete before the first byte is sent, so an error of a template never cuts a page.
// Users whose access has ended since the request began see no page of the account, also none that shows a form again.
func (d *Dashboard) showView(w http.ResponseWriter, r *http.Request, status int, v view) error {
	if visit := visitOf(r); visit != nil && visit.ended.Load() {
		status = http.StatusForbidden
		v = view{Page: "problem", Title: http.StatusText(status), Path: r.URL.Path, Data: problem{endedMessage}}
	}
	if v.Path == searchPath {
		v.Search = r.URL.Query().Get("q")
	}
	// The page of an error makes no queries, and the page of marketplaces says so itself.
	v.Revoked = v.Page != "problem" && v.Page != "marketplaces" && whole(r) && d.revoked(r)
	out := newBuffer()
	defer out.free()
	if err := d.pages.render(out, v); err != nil {
		return err
	}
	writePage(w, r, status, out)
	return nil
}

const endedMessage = "You may not do this any more, because your access to the account has changed."

// problem is the data of the page problem.
type problem struct{ Message string }

// fail shows an error. What is not a fault is logged, and the page does not tell it. A browser that left, for example
// because the next letter of a search was typed, is not an error of the server.
func (d *Dashboard) fail(w http.ResponseWriter, r *http.Request, err error) {
	f, ok := fault.As(err)
	if !ok {
		f = unexpected(err)
	}
	if !ok && !errors.Is(r.Context().Err(), context.Canceled) {
		d.Logger.ErrorContext(r.Context(), "dashboard: unexpected error", "path", r.URL.Path, "error", err)
	}
	setRetryAfter(w, f)
	title := http.StatusText(f.Status())
	v := view{Page: "problem", Title: title, Path: r.URL.Path, Visit: visitOf(r), Data: problem{f.Message}}
	if err := d.showView(w, r, f.Status(), v); err != nil {
		d.Logger.ErrorContext(r.Context(), "dashboard: the page of an error", "error", err)
		http.Error(w, title, http.StatusInternalServerError)
	}
}

// unexpected returns what is shown for an error that is not a fault.
func unexpected(err error) *fault.Error {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return fault.New(fault.PayloadTooLarge, "This form is too large. Send at most %d kB.", tooLarge.Limit>>10)
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.Unavailable, "This took too long. Try again in a moment.")
	}
	return fault.New(fault.InternalError, "Something went wrong on the server. Try again in a moment.")
}

func setRetryAfter(w http.ResponseWriter, f *fault.Error) {
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(f.RetryAfter.Seconds())))
	}
}

func (d *Dashboard) notFound(w http.ResponseWriter, r *http.Request) {
	d.handle(d.inFrame(func(http.ResponseWriter, *http.Request) error { return errNoPage })).ServeHTTP(w, r)
}

var errNoPage = fault.New(fault.RouteNotFound, "There is no such page, or you may not see it.")

func (d *Dashboard) methodNotAllowed(w http.ResponseWriter, r *http.Request) {
	d.fail(w, r, fault.New(fault.MethodNotAllowed, "This page does not take requests of this kind."))
}

func (d *Dashboard) refuseCrossOrigin(w http.ResponseWriter, r *http.Request) {
	d.fail(w, r, fault.New(fault.InsufficientScope,
		"The request came from a page of another site and was refused. Open the page here and try again."))
}

// inFrame adds the visit to the request, if there is one, so that an error is shown within the frame.
func (d *Dashboard) inFrame(next handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if v, err := d.visit(r.Context()); err == nil && v != nil {
			r = r.WithContext(context.WithValue(r.Context(), visitKey{}, v))
		}
		if err := next(w, r); err != nil {
			d.fail(w, r, err)
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
