package dashboard

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/staticdoc"
)

//go:embed templates assets
var files embed.FS

// assetsPath is the path below which the dashboard's files are served.
const assetsPath = "/assets/"

// pages holds the templates of the pages and their assets.
type pages struct {
	templates *template.Template             // one set, because a copy of the common parts for each page takes 8 MB
	constant  map[string]template.HTML       // what the templates of constantParts write
	assets    map[string]*staticdoc.Document // by path
	paths     map[string]string              // by the name of the file
}

// view is the data of a page.
type view struct {
	Page  string // the name of its template
	Title string
	Path  string
	Visit *visit // nil without a session
	Data  any    // of the page's own template
	// Reviews is the number of cards that need a review, such as 12 or 99+; "" for none.
	Reviews string
	// Revoked is true if the account's connection to eBay was revoked or has expired, and the user can connect it
	// again.
	Revoked bool
	// Search is the text in the search of the frame.
	Search string
}

// Current returns the value of aria-current for a link of the navigation.
func (v *view) Current(section string) bool {
	return v.Path == section || section != "/" && strings.HasPrefix(v.Path, section+"/")
}

// newPages returns the pages, which all dashboards of a process share: the templates are parsed once, and html/template
// escapes each only when it is first executed.
var newPages = sync.OnceValues(readPages)

func readPages() (*pages, error) {
	p := &pages{assets: map[string]*staticdoc.Document{}, paths: map[string]string{}}
	if err := p.readAssets(); err != nil {
		return nil, fmt.Errorf("dashboard: %w", err)
	}
	templates, err := template.New("dashboard").Funcs(p.functions()).
		ParseFS(files, "templates/layout.html", "templates/parts/*.html", "templates/pages/*.html")
	if err != nil {
		return nil, fmt.Errorf("dashboard: %w", err)
	}
	p.templates = templates
	if err := p.renderConstants(); err != nil {
		return nil, err
	}
	return p, nil
}

// constantParts are templates that write the same on all pages.
var constantParts = []string{"files", "key-dialog", "bulk-actions"}

// renderConstants renders the constant parts once, so that no page has to.
func (p *pages) renderConstants() error {
	p.constant = map[string]template.HTML{}
	for _, name := range constantParts {
		var out strings.Builder
		if err := p.templates.ExecuteTemplate(&out, name, nil); err != nil {
			return fmt.Errorf("dashboard: %w", err)
		}
		p.constant[name] = template.HTML(out.String())
	}
	return nil
}

// readAssets gives each file a path that contains a hash of its content, so that browsers can cache it permanently.
func (p *pages) readAssets() error {
	return fs.WalkDir(files, "assets", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		document := staticdoc.New(typeOf(name), content)
		base, extension := path.Base(name), path.Ext(name)
		address := assetsPath + strings.TrimSuffix(base, extension) + "-" + document.Tag() + extension
		p.paths[base], p.assets[address] = address, document
		return nil
	})
}

// typeOf returns the media type of an asset. It does not depend on the machine's MIME table.
func typeOf(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return "text/plain; charset=utf-8"
}

// render writes a page.
func (p *pages) render(to io.Writer, v view) error {
	if err := p.templates.ExecuteTemplate(to, v.Page+".html", &v); err != nil {
		return fmt.Errorf("dashboard: %w", err)
	}
	return nil
}

// functions are the functions of the templates.
func (p *pages) functions() template.FuncMap {
	return template.FuncMap{
		"asset":        func(name string) string { return p.paths[name] },
		"number":       format.Number,
		"count":        func(n int) string { return format.Number(int64(n)) },
		"cards":        func(n int) string { return format.Cards(int64(n)) },
		"money":        format.Money,
		"amounts":      format.Amounts,
		"percent":      format.Percent,
		"bytes":        format.Bytes,
		"words":        format.Status,
		"spaced":       format.Words,
		"shown":        format.Value,
		"fieldWords":   format.Field,
		"recordedTime": format.Recorded,
		"constant":     func(name string) template.HTML { return p.constant[name] },
		"bulkActions":  func() []bulkAction { return bulkActions },
		"keyGroups":    keyGroups,
		"newKey":       newKey,
		"deliveryWord": deliveryWord,
		"failureText":  failureText,
		"attemptText":  attemptText,
		"failureWords": failureWords,
		"moment":       format.At,
	}
}
