package portal

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/cardvault/cardvault/internal/staticdoc"
)

// texts returns the pages and the reference as Markdown, and /llms.txt, by path.
func (c *contract) texts(pages []*page) map[string]*staticdoc.Document {
	out := map[string]*staticdoc.Document{
		llmsPath:    staticdoc.New(typeText, c.llms(pages)),
		schemasPath: staticdoc.New(typeMarkdown, c.schemas()),
	}
	for _, p := range pages {
		out[markdownPath(p.Path)] = staticdoc.New(typeMarkdown, p.Markdown)
	}
	for _, tag := range c.doc.Tags {
		out[tagPath(tag.Name)] = staticdoc.New(typeMarkdown, c.tag(tag))
	}
	return out
}

// linkTarget matches the end of a link's text and its target.
var linkTarget = regexp.MustCompile(`\]\(([^()\s]+)\)`)

// relink makes the links of a guide lead to Markdown. It leaves code as it is.
func (c *contract) relink(source []byte) []byte {
	var out bytes.Buffer
	inCode := false
	for line := range bytes.Lines(source) {
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("```")) {
			inCode = !inCode
		}
		if !inCode {
			line = linkTarget.ReplaceAllFunc(line, func(link []byte) []byte {
				target := string(linkTarget.FindSubmatch(link)[1])
				return []byte("](" + c.markdownTarget(target) + ")")
			})
		}
		out.Write(line)
	}
	return out.Bytes()
}

// markdownTarget returns the path, with the fragment, of a link's target as Markdown.
func (c *contract) markdownTarget(destination string) string {
	if shown, ok := c.pictures[destination]; ok {
		return shown.address
	}
	file, anchor, _ := strings.Cut(served(destination), "#")
	switch {
	case file == "" || strings.Contains(file, ":"): // a section of the same page, or another site
		return destination
	case file == referencePath:
		return c.referenceTarget(anchor)
	case strings.HasPrefix(file, root) && path.Ext(file) == "":
		file = markdownPath(file)
	}
	if anchor != "" {
		return file + "#" + anchor
	}
	return file
}

// referenceTarget returns the place in the Markdown reference that describes a fragment of the reference.
func (c *contract) referenceTarget(anchor string) string {
	for _, o := range c.operations {
		if strings.HasSuffix(o.address(), "#"+anchor) {
			return o.markdownAddress()
		}
	}
	kind := strings.TrimPrefix(anchor, "v1/webhook/")
	if slices.Contains(c.kinds, kind) {
		return schemaAddress(c.eventSchema(kind))
	}
	return markdownPath(referencePath)
}
