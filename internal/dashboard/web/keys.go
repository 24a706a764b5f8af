package web

import "net/http"

// goKeys are the keys that, after g, open a section. The script keys.js finds them in the navigation.
var goKeys = map[string]string{
	"/": "h", "/cards": "c", "/review": "r", "/batches": "b", "/listings": "l", "/sales": "s",
}

// keyGroup is a part of the list of keys.
type keyGroup struct {
	Label string
	Keys  []keyHelp
}

// keyHelp says what keys do that are pressed one after the other, or instead of each other.
type keyHelp struct {
	Keys []string
	Does string
}

// keyGroups returns the list of all keys.
func keyGroups() []keyGroup {
	everywhere := []keyHelp{
		{[]string{"/"}, "search"}, {[]string{"?"}, "show this list"}, {[]string{"Esc"}, "go back, or leave a field"},
	}
	for _, s := range sections {
		if key, ok := goKeys[s.Path]; ok {
			everywhere = append(everywhere, keyHelp{[]string{"g", key}, "go to " + s.Label})
		}
	}
	return []keyGroup{
		{"Everywhere", everywhere},
		{"In a list", []keyHelp{
			{[]string{"j"}, "next row"}, {[]string{"k"}, "previous row"}, {[]string{"Enter"}, "open the row"},
			{[]string{"x"}, "select the row"},
		}},
		{"On the page of a card", []keyHelp{
			{[]string{"j"}, "next card"}, {[]string{"k"}, "previous card"}, {[]string{"f"}, "photos"},
			{[]string{"e"}, "edit"}, {[]string{"c"}, "candidates"}, {[]string{"p"}, "price look-up"},
			{[]string{"l"}, "listing"}, {[]string{"s"}, "sale"}, {[]string{"h"}, "history"},
			{[]string{"u"}, "undo what was saved just now"},
		}},
		{"On a photo", []keyHelp{
			{[]string{"z"}, "zoom"}, {[]string{"n"}, "zoom to the number"}, {[]string{"r"}, "turn"},
		}},
		{"In the review", []keyHelp{
			{[]string{"1", "…", "9"}, "take a candidate"}, {[]string{"e"}, "edit by hand"}, {[]string{"s"}, "skip"},
			{[]string{"u"}, "undo"},
		}},
	}
}

// ShowKeys shows the list of keys, which a script shows on any page.
func (frame *Frame) ShowKeys(w http.ResponseWriter, r *http.Request) error {
	return frame.Show(w, r, http.StatusOK, "keys", "Keys", nil)
}
