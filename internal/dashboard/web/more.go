package web

import "net/http"

// moreLink is a section that has no place in the bar of a phone, with its pages.
type moreLink struct {
	Label, Path string
	Pages       []sectionLink
}

// ShowMore shows the sections that have no place in the bar of a phone.
func (frame *Frame) ShowMore(w http.ResponseWriter, r *http.Request) error {
	return frame.Show(w, r, http.StatusOK, "more", "More", moreLinks(VisitOf(r).Owner()))
}

// moreLinks returns the sections without those of the bar. Members do not see those of owners.
func moreLinks(owner bool) (links []moreLink) {
	for _, s := range sections {
		if !inBar[s.Path] && (owner || !s.Owner) {
			links = append(links, moreLink{s.Label, s.Path, sectionLinks[s.Root()]})
		}
	}
	return links
}

// inBar has the sections in the bar of a phone. The layout has their icons.
var inBar = map[string]bool{"/": true, "/review": true, "/cards": true}
