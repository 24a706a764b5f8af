package web

import (
	"html/template"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hostile are texts that would leave an element or an attribute if they were not escaped.
var hostile = []string{
	"", "Ember Fox", `<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`,
	"&lt;b&gt; &amp; &#60;", "+ADw-script+AD4-", "a\x00b", "\xff\xfe<", "é<ß>\u2028\u00a0", "`{{.}}`", "{}", "<!-- -->",
	"</td></tr></table>", "\u202e<\ufeff>", "\r\n\t<", "]]>",
}

func TestMarkup_EscapesAsTemplates(t *testing.T) {
	t.Parallel()
	texts := hostile
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		made := make([]byte, random.IntN(12))
		for i := range made {
			made[i] = byte(random.IntN(256))
		}
		texts = append(texts, string(made))
	}
	reference := template.Must(template.New("").Parse(`<td title="{{.}}" class="a {{.}}">{{.}}</td>`))
	for _, text := range texts {
		var want strings.Builder
		if err := reference.Execute(&want, text); err != nil {
			t.Fatal(err)
		}
		var m Markup
		m.Write(`<td title="{}" class="a {}">{}</td>`, text, text, text)
		if diff := cmp.Diff(want.String(), string(m.HTML())); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestMarkup_Addresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"/cards?q=%22&sort=-price": "/cards?q=%22&amp;sort=-price", "https://shop.example/x": "https://shop.example/x",
		"http://localhost/": "http://localhost/", `/"><script>`: "/&#34;&gt;&lt;script&gt;",
		"javascript:alert(1)": "#", " javascript:alert(1)": "#", "JavaScript:alert(1)": "#", "data:text/html,x": "#",
		"java\nscript:alert(1)": "#", "vbscript:x": "#", "": "#", "\x00javascript:x": "#",
	} {
		for html, start := range map[Fragment]string{
			`<a href="{}">`: `<a href="`, `<img src="{}">`: `<img src="`, `<form action="{}">`: `<form action="`,
			`<button formaction="{}">`: `<button formaction="`,
		} {
			var m Markup
			m.Write(html, address)
			if got := string(m.HTML()); got != start+want+`">` {
				t.Errorf("%s with %q: got %s, want the value %q", html, address, got, want)
			}
		}
	}
}

func TestMarkup_Values(t *testing.T) {
	t.Parallel()
	var m Markup
	m.Write(`<b>`)
	m.WriteIf(false, `never`)
	m.WriteIf(true, `<i>`)
	m.Write(`{}{}`, "{}", "x")
	if got := m.HTML(); got != "<b><i>{}x" {
		t.Errorf("got %q", got)
	}
	for _, values := range [][]string{{}, {"a", "b"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("one place and %d values: got no panic", len(values))
				}
			}()
			new(Markup).Write(`{}`, values...)
		}()
	}
}
