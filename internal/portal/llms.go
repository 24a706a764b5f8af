package portal

import (
	"bytes"
	"fmt"
	"strings"
)

// llms returns /llms.txt, as llmstxt.org describes it: a description of the service, and links to the documentation in
// Markdown with summaries of the pages.
func (c *contract) llms(pages []*page) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# %s\n\n> %s\n", c.doc.Info.Title, pages[0].Summary)
	for _, g := range groups(pages, "") {
		fmt.Fprintf(&out, "\n## %s\n\n", g.Name)
		for _, l := range g.Links {
			if l.Path != referencePath {
				writeLink(&out, l.Title, markdownPath(l.Path), l.Summary)
			}
		}
	}
	out.WriteString("\n## API reference\n\n")
	writeLink(&out, "API", markdownPath(referencePath), "What all operations have in common, and a list of them.")
	for _, tag := range c.doc.Tags {
		writeLink(&out, tag.Name, tagPath(tag.Name), tag.Description)
	}
	writeLink(&out, "schemas", schemasPath, "The fields of requests, responses and events.")
	out.WriteString("\n## OpenAPI documents\n\n")
	for _, version := range []string{"v1", "v2"} {
		for _, format := range []string{"yaml", "json"} {
			name := version + "." + format
			writeLink(&out, name, "/openapi/"+name, "The contract of "+version+" of the API.")
		}
	}
	for _, p := range pages {
		if p.Path == sdksPath {
			writeSDKs(&out, p)
		}
	}
	return out.Bytes()
}

// writeSDKs writes links to the sections of the page about the SDKs, each with the section's first line, the command
// that installs the package.
func writeSDKs(out *bytes.Buffer, p *page) {
	out.WriteString("\n## SDKs\n\n")
	for _, s := range p.Sections {
		if s.Level == 2 {
			first, _, _ := strings.Cut(s.Text, "\n")
			writeLink(out, s.Title, markdownPath(p.Path)+"#"+s.ID, first)
		}
	}
}

func writeLink(out *bytes.Buffer, title, address, text string) {
	fmt.Fprintf(out, "- [%s](%s): %s\n", title, address, strings.Join(strings.Fields(text), " "))
}
