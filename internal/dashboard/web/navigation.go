package web

import (
	"context"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// section is a link of the main navigation.
type section struct {
	Label, Path string
	Owner       bool   // whether only owners see it
	Rule        bool   // whether a line separates it from the section above
	Below       string // the path that all of its pages are below; "" for Path
}

// Root returns the path that all pages of the section are below.
func (s section) Root() string {
	if s.Below != "" {
		return s.Below
	}
	return s.Path
}

// sections are in the order of the navigation.
var sections = []section{
	{Label: "Home", Path: "/"},
	{Label: "Review", Path: "/review"},
	{Label: "Cards", Path: "/cards"},
	{Label: "Import", Path: "/import"},
	{Label: "Batches", Path: "/batches"},
	{Label: "Listings", Path: "/listings"},
	{Label: "Sales", Path: "/sales"},
	{Label: "Developers", Path: "/developers/tokens", Below: "/developers", Owner: true, Rule: true},
	{Label: "Settings", Path: "/settings", Owner: true},
}

// sectionLink is a link of the second row of the navigation.
type sectionLink struct {
	Label, Path string
	Current     bool
}

// sectionLinks are the links of the second row, by the sections that have one.
var sectionLinks = map[string][]sectionLink{
	"/developers": {
		{Label: "Tokens", Path: "/developers/tokens"},
		{Label: "Webhooks", Path: "/developers/webhooks"},
		{Label: "Deliveries", Path: "/developers/deliveries"},
		{Label: "Events", Path: "/developers/events"},
	},
	"/settings": {
		{Label: "Account", Path: "/settings"},
		{Label: "Users", Path: "/settings/users"},
		{Label: "Marketplaces", Path: "/settings/marketplaces"},
		{Label: "Export", Path: "/settings/export"},
		{Label: "Audit", Path: "/settings/audit"},
	},
}

// Sections returns the links of the main navigation. Members do not see those of owners.
func (v *View) Sections() template.HTML {
	var m Markup
	for _, s := range sections {
		if s.Owner && !v.Visit.Owner() {
			continue
		}
		m.Write(`<li`)
		m.WriteIf(s.Rule, ` class="rule"`)
		if key := goKeys[s.Path]; key != "" {
			m.Write(` data-go="{}"`, key)
		}
		m.Write(`><a href="{}"`, s.Path)
		m.WriteIf(v.Current(s.Root()), ` aria-current="page"`)
		m.Write(`>{}`, s.Label)
		if s.Path == "/review" && v.Reviews != "" {
			m.Write(` <span class="badge">{}<span class="hidden"> cards</span></span>`, v.Reviews)
		}
		m.Write(`</a></li>
      `)
	}
	return m.HTML()
}

// Tabs returns the links of the second row for the page, or none.
func (v *View) Tabs() []sectionLink {
	if v.Visit == nil || !v.Visit.Owner() {
		return nil
	}
	for root, links := range sectionLinks {
		if v.Current(root) {
			return withCurrent(links, v.Path)
		}
	}
	return nil
}

// withCurrent marks the link that the page belongs to: that with the longest path.
func withCurrent(links []sectionLink, path string) []sectionLink {
	marked := append([]sectionLink(nil), links...)
	best := -1
	for i, link := range marked {
		if path != link.Path && !strings.HasPrefix(path, link.Path+"/") {
			continue
		}
		if best < 0 || len(link.Path) > len(marked[best].Path) {
			best = i
		}
	}
	if best >= 0 {
		marked[best].Current = true
	}
	return marked
}

const (
	// maxBadge is the largest count that the navigation shows.
	maxBadge = 99
	// badgeTime is how long a page waits for the count. It is shown without it after that.
	badgeTime = time.Second
)

// reviewsLeft returns the number of cards that need a review as the navigation shows it: "" if there are none, or if
// they cannot be counted now.
func (frame *Frame) reviewsLeft(r *http.Request) string {
	v := VisitOf(r)
	if v == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(r.Context(), badgeTime)
	defer cancel()
	count, err := frame.ReviewsLeft(ctx, v.Account.ID, maxBadge+1)
	if err != nil {
		return ""
	}
	return Badge(count)
}

// revoked returns the marketplaces to which the account's connection was revoked or has expired, if the user is an
// owner of the account. If they cannot be read in time, the page is shown without the banner.
func (frame *Frame) revoked(r *http.Request) string {
	v := VisitOf(r)
	if v == nil || !v.Owner() || frame.Revoked == nil || v.Account.Sandbox {
		return ""
	}
	ctx, cancel := context.WithTimeout(r.Context(), badgeTime)
	defer cancel()
	labels, err := frame.Revoked(ctx, v.Account.ID)
	if err != nil {
		return ""
	}
	return labels
}

// Badge returns a count as the navigation shows it.
func Badge(count int) string {
	switch {
	case count == 0:
		return ""
	case count > maxBadge:
		return strconv.Itoa(maxBadge) + "+"
	}
	return strconv.Itoa(count)
}

// Tab is a link to a part of a list.
type Tab struct {
	Label, Address string
	Current        bool
}
