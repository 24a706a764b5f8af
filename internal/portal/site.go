package portal

import (
	"fmt"
	"strings"

	"github.com/cardvault/cardvault/internal/staticdoc"
)

// site is the rendered content of the portal.
type site struct {
	look       *look
	pages      map[string]*staticdoc.Document // by path
	texts      map[string]*staticdoc.Document // the pages as Markdown and /llms.txt, by path
	assets     map[string]*staticdoc.Document // by path, which contains a hash or a version
	navigation []group                        // for pages that are not in it
	index      *index
	notFound   []byte
}

func newSite() (*site, error) {
	contract, err := readContract()
	if err != nil {
		return nil, fmt.Errorf("portal: %w", err)
	}
	look, err := newLook()
	if err != nil {
		return nil, fmt.Errorf("portal: %w", err)
	}
	for _, shown := range contract.pictures {
		look.assets[shown.address] = shown.document
	}
	pages, err := renderPages(contract)
	if err != nil {
		return nil, fmt.Errorf("portal: %w", err)
	}
	index, err := newIndex(pages, contract)
	if err != nil {
		return nil, fmt.Errorf("portal: %w", err)
	}
	s := &site{
		look: look, pages: map[string]*staticdoc.Document{}, texts: contract.texts(pages), assets: look.assets,
		navigation: groups(pages, ""), index: index,
	}
	if err := s.layOut(pages); err != nil {
		return nil, fmt.Errorf("portal: %w", err)
	}
	return s, nil
}

// layOut renders the pages in the layout.
func (s *site) layOut(pages []*page) error {
	for i, page := range pages {
		html, err := s.look.render(page.view(pages, i))
		if err != nil {
			return fmt.Errorf("%s: %w", page.Path, err)
		}
		s.pages[page.Path] = staticdoc.New(typeHTML, html)
	}
	html, err := s.look.render(view{Template: "notfound", Title: "There is no such page", Groups: s.navigation})
	s.notFound = html
	return err
}

// search returns the page with the results of a search.
func (s *site) search(query string) ([]byte, error) {
	query = strings.TrimSpace(strings.ToValidUTF8(query, ""))
	return s.look.render(view{
		Template: "search", Path: searchPath, Title: "Search", Query: query,
		Groups: s.navigation, Results: s.index.find(query),
	})
}
