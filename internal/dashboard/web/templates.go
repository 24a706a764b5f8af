package web

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/staticdoc"
)

//go:embed *.html
var views embed.FS

// AssetsPath is the path below which the dashboard's files are served.
const AssetsPath = "/assets/"

// Templates holds the templates of the pages and the files that pages load.
type Templates struct {
	templates *template.Template             // one set, because a copy of the common parts for each page takes 8 MB
	constant  map[string]template.HTML       // what the templates of constantParts write
	assets    map[string]*staticdoc.Document // by path
	paths     map[string]string              // by the name of the file
}

// View is the data of a page.
type View struct {
	Page  string // the name of its template
	Title string
	Path  string
	Visit *Visit // nil without a session
	Data  any    // of the page's own template
	// Reviews is the number of cards that need a review, such as 12 or 99+; "" for none.
	Reviews string
	// Revoked names the marketplaces to which the account's connection was revoked or has expired, if the user can
	// connect the account again.
	Revoked string
	// Search is the text in the search of the frame.
	Search string
}

// Current returns the value of aria-current for a link of the navigation.
func (v *View) Current(section string) bool {
	return v.Path == section || section != "/" && strings.HasPrefix(v.Path, section+"/")
}

// ReadTemplates parses the templates in some folders, which use the functions, and reads the assets. Callers share the
// result: html/template escapes each template only when it is first executed.
func ReadTemplates(assets fs.FS, functions template.FuncMap, folders ...fs.FS) (*Templates, error) {
	t := &Templates{assets: map[string]*staticdoc.Document{}, paths: map[string]string{}}
	if err := t.readAssets(assets); err != nil {
		return nil, fmt.Errorf("read the dashboard's assets: %w", err)
	}
	t.templates = template.New("dashboard").Funcs(t.functions()).Funcs(functions)
	for _, folder := range append(folders, views) {
		if _, err := t.templates.ParseFS(folder, "*.html"); err != nil {
			return nil, fmt.Errorf("parse the dashboard's templates: %w", err)
		}
	}
	if err := t.renderConstants(); err != nil {
		return nil, err
	}
	return t, nil
}

// constantParts are templates that write the same on all pages.
var constantParts = []string{"files", "key-dialog", "bulk-actions"}

// renderConstants renders the constant parts once, so that no page has to.
func (t *Templates) renderConstants() error {
	t.constant = map[string]template.HTML{}
	for _, name := range constantParts {
		if t.templates.Lookup(name) == nil {
			continue // the section is missing, as in its tests
		}
		var out strings.Builder
		if err := t.templates.ExecuteTemplate(&out, name, nil); err != nil {
			return fmt.Errorf("render the template %s: %w", name, err)
		}
		t.constant[name] = template.HTML(out.String())
	}
	return nil
}

// readAssets gives each file a path that contains a hash of its content, so that browsers can cache it permanently.
func (t *Templates) readAssets(files fs.FS) error {
	return fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		document := staticdoc.New(typeOf(name), content)
		base, extension := path.Base(name), path.Ext(name)
		address := AssetsPath + strings.TrimSuffix(base, extension) + "-" + document.Tag() + extension
		t.paths[base], t.assets[address] = address, document
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

// Render writes a page.
func (t *Templates) Render(to io.Writer, v View) error {
	if err := t.templates.ExecuteTemplate(to, v.Page+".html", &v); err != nil {
		return fmt.Errorf("render the page %s: %w", v.Page, err)
	}
	return nil
}

// functions are the functions that templates of all sections use.
func (t *Templates) functions() template.FuncMap {
	return template.FuncMap{
		"asset":        func(name string) string { return t.paths[name] },
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
		"constant":     func(name string) template.HTML { return t.constant[name] },
		"keyGroups":    keyGroups,
		"newKey":       NewKey,
		"moment":       format.At,
	}
}
