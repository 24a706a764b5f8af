package web

import (
	"html/template"
	"strings"
)

// Fragment is HTML that this package contains. A constant is a fragment, a variable of type string is not, so the
// compiler refuses HTML from elsewhere.
type Fragment string

// Markup writes the parts of a page that have hundreds of values. A template reads them by reflection, which takes ten
// times as long. The values are escaped as html/template escapes them. They stand in elements or in attributes with
// double quotes; markup does not escape values of scripts and styles.
type Markup struct{ out strings.Builder }

// Grow makes room for so many bytes.
func (m *Markup) Grow(n int) { m.out.Grow(n) }

// HTML returns what was written.
func (m *Markup) HTML() template.HTML { return template.HTML(m.out.String()) }

// Write writes HTML with a value in the place of each {}. It panics if there are more or fewer values than places.
func (m *Markup) Write(html Fragment, values ...string) {
	rest := string(html)
	for _, value := range values {
		before, after, found := strings.Cut(rest, "{}")
		if !found {
			panic("dashboard: too many values for " + string(html))
		}
		m.out.WriteString(before)
		if takesAddress(before) && !isAddress(value) {
			value = "#"
		}
		m.escape(value)
		rest = after
	}
	if strings.Contains(rest, "{}") {
		panic("dashboard: too few values for " + string(html))
	}
	m.out.WriteString(rest)
}

// WriteIf writes HTML if the condition is true.
func (m *Markup) WriteIf(condition bool, html Fragment) {
	if condition {
		m.Write(html)
	}
}

// takesAddress reports whether HTML ends within an attribute whose value is an address.
func takesAddress(html string) bool {
	return strings.HasSuffix(html, `href="`) || strings.HasSuffix(html, `src="`) || strings.HasSuffix(html, `action="`)
}

// isAddress reports whether a value is a path or an address of the web, not one such as javascript:.
func isAddress(value string) bool {
	return strings.HasPrefix(value, "/") || strings.HasPrefix(value, "https://") || strings.HasPrefix(value, "http://")
}

// escapes are the characters that have a meaning in HTML. The plus sign has one in UTF-7.
var escapes = [256]string{
	0: "\uFFFD", '"': "&#34;", '&': "&amp;", '\'': "&#39;", '+': "&#43;", '<': "&lt;", '>': "&gt;",
}

func (m *Markup) escape(value string) {
	written := 0
	for i := range len(value) {
		if escaped := escapes[value[i]]; escaped != "" {
			m.out.WriteString(value[written:i])
			m.out.WriteString(escaped)
			written = i + 1
		}
	}
	m.out.WriteString(value[written:])
}
