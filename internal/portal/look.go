package portal

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"path"
	"strings"

	"github.com/cardvault/cardvault/internal/staticdoc"
)

//go:embed templates assets
var files embed.FS

// look holds the templates and the assets of pages.
type look struct {
	templates *template.Template
	assets    map[string]*staticdoc.Document // by path
	paths     map[string]string              // by name: "portal.css"
}

// view is the data of a template.
type view struct {
	Template string // of the page's main part
	Path     string
	Title    string
	Summary  string
	Markdown string // the path of the page as Markdown, or ""
	Groups   []group
	Contents []section
	Body     template.HTML
	Previous *link
	Next     *link
	Query    string
	Results  []result
}

// view returns the data of the i-th page.
func (p *page) view(pages []*page, i int) view {
	v := view{
		Template: p.Template, Path: p.Path, Title: p.Title, Summary: p.Summary, Body: p.Body,
		Markdown: markdownPath(p.Path), Groups: groups(pages, p.Path),
	}
	for _, s := range p.Sections {
		if s.ID != "" && s.Level <= 3 {
			v.Contents = append(v.Contents, s)
		}
	}
	if i > 0 {
		v.Previous = &link{Path: pages[i-1].Path, Title: pages[i-1].Title}
	}
	if i+1 < len(pages) {
		v.Next = &link{Path: pages[i+1].Path, Title: pages[i+1].Title}
	}
	return v
}

func newLook() (*look, error) {
	l := &look{assets: map[string]*staticdoc.Document{}, paths: map[string]string{}}
	if err := l.readAssets(); err != nil {
		return nil, err
	}
	if err := readScalar(l.assets); err != nil {
		return nil, err
	}
	var err error
	l.templates, err = template.New("").Funcs(template.FuncMap{
		"asset":  func(name string) string { return l.paths[name] },
		"scalar": func() string { return scalarPath + "/standalone.esm.js" },
	}).ParseFS(files, "templates/*.html")
	return l, err
}

// readAssets gives each file a URL that contains a hash of its content, so that browsers can cache it permanently.
func (l *look) readAssets() error {
	entries, err := fs.ReadDir(files, "assets")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		content, err := files.ReadFile("assets/" + entry.Name())
		if err != nil {
			return err
		}
		document := staticdoc.New(typeOf(entry.Name()), content)
		extension := path.Ext(entry.Name())
		address := root + "/assets/" + strings.TrimSuffix(entry.Name(), extension) + "-" + document.Tag() + extension
		l.paths[entry.Name()], l.assets[address] = address, document
	}
	return nil
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
	case ".webp":
		return "image/webp"
	}
	return "application/octet-stream"
}

func (l *look) render(v view) ([]byte, error) {
	var out bytes.Buffer
	err := l.templates.ExecuteTemplate(&out, v.Template+".html", v)
	return out.Bytes(), err
}
