package portal

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown renders GitHub's dialect. It keeps HTML: the guides are part of the program, and the policy allows no
// scripts.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(html.WithUnsafe(), renderer.WithNodeRenderers(util.Prioritized(blocks{}, 100))),
)

// renderMarkdown renders a guide. Its first heading is the page's title, its first paragraph the summary.
func (c *contract) renderMarkdown(written []byte) (*page, error) {
	source, err := c.generate(written)
	if err != nil {
		return nil, err
	}
	withIDs := parser.WithContext(parser.NewContext(parser.WithIDs(ids{})))
	doc := markdown.Parser().Parse(text.NewReader(source), withIDs)
	p := &page{Sections: sectionsOf(doc, source), Markdown: c.relink(source)}
	if len(p.Sections) == 0 || p.Sections[0].Level != 1 {
		return nil, errors.New("the first line must be the page's title: # …")
	}
	p.Title, p.Sections[0].ID = p.Sections[0].Title, ""
	if first := doc.FirstChild().NextSibling(); first != nil && first.Kind() == ast.KindParagraph {
		p.Summary = plain(first, source)
	}
	doc.RemoveChild(doc, doc.FirstChild()) // the layout shows the title
	if err := c.link(doc, source); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, source, doc); err != nil {
		return nil, err
	}
	p.Body = template.HTML(out.String()) //nolint:gosec // the program's own text
	return p, nil
}

// sectionsOf cuts a document at its headings.
func sectionsOf(doc ast.Node, source []byte) []section {
	var out []section
	for node := doc.FirstChild(); node != nil; node = node.NextSibling() {
		if heading, ok := node.(*ast.Heading); ok {
			id, _ := heading.AttributeString("id")
			name, _ := id.([]byte)
			out = append(out, section{Level: heading.Level, ID: string(name), Title: plain(heading, source)})
		} else if len(out) > 0 {
			last := &out[len(out)-1]
			last.Text = strings.TrimSpace(last.Text + "\n" + plain(node, source))
		}
	}
	return out
}

// plain returns the text of a node without markup. Each block of a block, such as an item of a list, a row of a table
// or a line of code, is a line.
func plain(node ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // fails only if the function does
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				out.Write(n.Segment.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					out.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				out.Write(n.Value)
			}
		case *ast.FencedCodeBlock:
			if entering {
				out.Write(n.Lines().Value(source))
			}
		case *tables.TableCell:
			out.WriteByte(' ')
		default:
			if n.Type() == ast.TypeBlock && !entering {
				out.WriteByte('\n')
			}
		}
		return ast.WalkContinue, nil
	})
	var lines []string
	for line := range strings.Lines(out.String()) {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return strings.Join(lines, "\n")
}

// link makes links to other guides and pictures work on the portal, and turns code that names an operation into a link
// to its reference.
func (c *contract) link(doc ast.Node, source []byte) error {
	var calls []*ast.CodeSpan
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Link:
			if entering {
				n.Destination = []byte(served(string(n.Destination)))
				return ast.WalkSkipChildren, nil
			}
		case *ast.Image:
			if entering {
				return ast.WalkSkipChildren, c.show(n)
			}
		case *ast.Heading:
			return ast.WalkSkipChildren, nil
		case *ast.CodeSpan:
			if entering && call.MatchString(plain(n, source)) {
				calls = append(calls, n)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, span := range calls {
		label := plain(span, source)
		operation, ok := c.operation(label)
		if !ok {
			return fmt.Errorf("the contract has no operation %q", label)
		}
		link := ast.NewLink()
		link.Destination = []byte(operation.address())
		span.Parent().ReplaceChild(span.Parent(), span, link)
		link.AppendChild(link, span)
	}
	return err
}

// call matches code that names an operation.
var call = regexp.MustCompile(`^(GET|POST|PUT|PATCH|DELETE) /\S*$`)

// served returns the path at which the portal serves the target of a link. Guides link to one another by file name, so
// that the links also work where the Markdown files are read.
func served(destination string) string {
	file, anchor, anchored := strings.Cut(destination, "#")
	name := path.Base(file)
	switch {
	case strings.Contains(destination, ":"):
		return destination
	case strings.HasSuffix(file, ".md"):
		file = root + "/" + strings.TrimSuffix(name, ".md")
	case slices.Contains([]string{"v1.yaml", "v2.yaml"}, name):
		file = "/openapi/" + name
	}
	if anchored {
		return file + "#" + anchor
	}
	return file
}

// ids gives headings the same identifiers as GitHub, so that a link to a section works on the portal and on GitHub.
// Headings of one page with the same text get the same identifier; the tests reject that.
type ids struct{}

// Generate implements parser.IDs.
func (ids) Generate(heading []byte, _ ast.NodeKind) []byte { return []byte(slug(string(heading))) }

// Put implements parser.IDs.
func (ids) Put([]byte) {}

var dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// slug returns the identifier of a heading.
func slug(heading string) string {
	return strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}
