package portal

import (
	"fmt"
	"html/template"

	"github.com/cardvault/cardvault/openapi"
)

// page is a rendered page without the layout.
type page struct {
	Path     string // "/docs/errors"
	Template string
	Group    string // of the navigation
	Title    string
	Summary  string // the first paragraph, for search engines, the landing page and links
	Body     template.HTML
	Sections []section
	Markdown []byte // the page as Markdown
}

// section is a heading and the text up to the next heading. The first section of a page has the page's title and no ID.
type section struct {
	Level int // 1 to 6
	ID    string
	Title string
	Text  string // without markup
}

const (
	referencePath = root + "/reference"
	changelogPath = root + "/changelog"
	errorsPath    = root + "/errors"
	sdksPath      = root + "/sdks"
)

// markdownPath returns the path of a page as Markdown.
func markdownPath(path string) string { return path + ".md" }

// guides are the Markdown pages except the landing page, in the order of the navigation.
var guides = []struct{ group, slug string }{
	{"Start", "getting-started"},
	{"Start", "authentication"},
	{"Start", "sandbox"},
	{"Guides", "dashboard"},
	{"Guides", "cards-and-csv"},
	{"Guides", "photos-and-identification"},
	{"Guides", "pricing-and-listings"},
	{"Guides", "pagination-and-polling"},
	{"Guides", "bulk-and-jobs"},
	{"Guides", "sales-and-accounting"},
	{"Guides", "marketplace-files"},
	{"Guides", "history-and-deletions"},
	{"Guides", "webhooks"},
	{"Guides", "errors"},
	{"Guides", "rate-limits"},
	{"Guides", "idempotency"},
	{"Operate", "tour"},
	{"Operate", "configuration"},
	{"Operate", "users"},
	{"Operate", "operations"},
	{"Operate", "why-is-it-stuck"},
	{"Operate", "ebay"},
	{"Operate", "remote-identification"},
	{"Operate", "marketplace-adapters"},
	{"Reference", "sdks"},
	{"Reference", "versioning"},
	{"Reference", "changelog"},
}

// renderPages returns all pages in the order of the navigation. A guide that names an operation that does not
// exist is an error.
func renderPages(c *contract) ([]*page, error) {
	landing, err := renderGuide(c, "Start", "index")
	if err != nil {
		return nil, err
	}
	landing.Path, landing.Template = root, "landing"
	pages := []*page{landing}
	for _, guide := range guides {
		p, err := renderGuide(c, guide.group, guide.slug)
		if err != nil {
			return nil, err
		}
		pages = append(pages, p)
	}
	return append(pages, &page{
		Path: referencePath, Template: "reference", Group: "Reference", Title: "API reference",
		Summary:  "Every operation, field and status, with requests to try against this server.",
		Markdown: c.reference(),
	}), nil
}

func renderGuide(c *contract, group, slug string) (*page, error) {
	path := root + "/" + slug
	written, err := openapi.Guides.ReadFile("guides/" + slug + ".md")
	if path == changelogPath { // is released with the contracts and is in their folder
		written, err = openapi.Changelog, nil
	}
	if err != nil {
		return nil, err
	}
	p, err := c.renderMarkdown(written)
	if err != nil {
		return nil, fmt.Errorf("guide %s: %w", slug, err)
	}
	p.Path, p.Template, p.Group = path, "guide", group
	return p, nil
}

// group is a heading of the navigation with its links.
type group struct {
	Name  string
	Links []link
}

type link struct {
	Path, Title, Summary string
	Current              bool
}

// groups returns the navigation of the page with this path.
func groups(pages []*page, current string) []group {
	var out []group
	for _, p := range pages {
		if p.Path == root { // the title of the layout links to the landing page
			continue
		}
		if len(out) == 0 || out[len(out)-1].Name != p.Group {
			out = append(out, group{Name: p.Group})
		}
		last := &out[len(out)-1]
		last.Links = append(last.Links, link{p.Path, p.Title, p.Summary, p.Path == current})
	}
	return out
}
