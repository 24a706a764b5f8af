package sandboxmarket

import (
	"bytes"
	"embed"
	"html"
	"html/template"
	"net/http"
	"strings"
	"time"
)

//go:embed assets
var assets embed.FS

var pages = template.Must(template.ParseFS(assets, "assets/*.html"))

// pageLength is the number of listings on a page. The page links to the next older ones.
const pageLength = 48

// policy is the Content-Security-Policy. A page may load its own style sheet and the sellers' images
// and submit its own forms, nothing else, because titles and URLs are user input.
const policy = "default-src 'none'; style-src 'self'; img-src http: https:; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'"

func (s *server) pageRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}", s.index)
	mux.HandleFunc("GET /itm/{listing}", s.item)
	mux.HandleFunc("POST /itm/{listing}/buy", s.visit(func(r *http.Request, k key) error {
		_, err := s.buy(r.Context(), k, buyerName(r), nil, 0)
		return err
	}))
	mux.HandleFunc("POST /itm/{listing}/end", s.visit(func(r *http.Request, k key) error {
		_, err := s.store.end(r.Context(), k)
		return err
	}))
	mux.HandleFunc("GET "+imagesPath+"{image}", s.showImage)
	mux.HandleFunc("GET /style.css", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, assets, "assets/style.css")
	})
}

// listing is an offer as the pages show it.
type listing struct {
	ID, SKU, Seller, Title, Description, State string
	Price                                      string
	Images                                     []string
	Details                                    []detail
	Changed                                    time.Time
}

type detail struct{ Name, Value string }

// page returns the offer as the pages show it.
func (o *offer) page() (listing, error) {
	item, terms, err := o.content()
	if err != nil {
		return listing{}, err
	}
	shown := listing{
		ID: *o.ListingID, SKU: o.SKU, Seller: o.Seller, Title: item.Product.Title, State: o.State,
		Description: plainText(terms.ListingDescription), Images: item.Product.ImageURLs, Changed: o.UpdatedAt,
	}
	if amount, err := price(terms); err == nil { // an ended listing's offer may have lost its price
		shown.Price = amount.String()
	}
	if shown.Description == "" {
		shown.Description = plainText(item.Product.Description)
	}
	for _, name := range []string{"Game", "Set", "Card Number"} {
		if values := item.Product.Aspects[name]; len(values) > 0 {
			shown.Details = append(shown.Details, detail{name, strings.Join(values, ", ")})
		}
	}
	return shown, nil
}

// Closed reports whether the listing was sold or ended.
func (l listing) Closed() bool { return l.State != live }

// Date returns when the listing last changed, formatted for display.
func (l listing) Date() string { return l.Changed.UTC().Format("2 January 2006, 15:04 UTC") }

func (s *server) index(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	before, err := time.Parse(time.RFC3339Nano, query.Get("before"))
	if err != nil {
		before = now().Add(time.Hour) // the first page
	}
	list, err := s.store.live(r.Context(), before, query.Get("sku"), pageLength+1)
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	var view struct {
		Listings []listing
		Last     *offer // nil if there are no older listings
	}
	if len(list) > pageLength {
		list = list[:pageLength]
		view.Last = &list[pageLength-1]
	}
	for i := range list {
		shown, err := list[i].page()
		if err != nil {
			s.renderError(w, r, err)
			return
		}
		view.Listings = append(view.Listings, shown)
	}
	s.render(w, r, http.StatusOK, "index.html", view)
}

func (s *server) item(w http.ResponseWriter, r *http.Request) {
	o, err := s.store.find(r.Context(), byListing(r.PathValue("listing")))
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	shown, err := o.page()
	if err != nil {
		s.renderError(w, r, err)
		return
	}
	s.render(w, r, http.StatusOK, "item.html", shown)
}

// visit runs the action of a form and redirects to the listing, which shows the result.
func (s *server) visit(act func(r *http.Request, k key) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id := r.PathValue("listing")
		if err := act(r, byListing(id)); err != nil {
			s.renderError(w, r, err)
			return
		}
		http.Redirect(w, r, "/itm/"+id, http.StatusSeeOther)
	}
}

func buyerName(r *http.Request) string {
	if name := strings.TrimSpace(r.PostFormValue("buyer")); name != "" {
		return name
	}
	return defaultBuyer
}

// renderError renders an error as a page.
func (s *server) renderError(w http.ResponseWriter, r *http.Request, err error) {
	problem := s.faultOf(r, err)
	s.render(w, r, problem.Status(), "error.html", problem.Message)
}

func (s *server) render(w http.ResponseWriter, r *http.Request, status int, name string, view any) {
	s.renderWith(w, r, status, name, policy, view)
}

// renderWith renders a page with a Content-Security-Policy of its own.
func (s *server) renderWith(w http.ResponseWriter, r *http.Request, status int, name, policy string, view any) {
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, name, view); err != nil {
		s.log.ErrorContext(r.Context(), "page failed", "page", name, "error", err)
		http.Error(w, "something went wrong: try again", http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	// Not no-referrer: browsers would then send "Origin: null" with the forms.
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(page.Bytes())
}

// plainText converts a description, which may be untrusted HTML, to text. It keeps line breaks and
// shows other tags literally.
func plainText(markup string) string {
	return html.UnescapeString(strings.ReplaceAll(markup, "<br>", "\n"))
}
