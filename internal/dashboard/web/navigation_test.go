package web

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMoreLinks(t *testing.T) {
	t.Parallel()
	for owner, want := range map[bool]string{
		false: "/import /batches /listings /sales",
		true:  "/import /batches /listings /sales /developers/tokens /settings",
	} {
		var paths []string
		for _, link := range moreLinks(owner) {
			paths = append(paths, link.Path)
		}
		if diff := cmp.Diff(want, strings.Join(paths, " ")); diff != "" {
			t.Errorf("for an owner %v (-want +got):\n%s", owner, diff)
		}
	}
}

// A key that leads to a section is in the list of keys.
func TestKeyGroups_HaveTheKeysOfSections(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{}
	for _, help := range keyGroups()[0].Keys {
		listed[strings.Join(help.Keys, " ")] = true
	}
	for path, key := range goKeys {
		if !listed["g "+key] {
			t.Errorf("the list of keys lacks g %s, which leads to %s", key, path)
		}
	}
}

func TestWithCurrent(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/settings": "Account", "/settings/users": "Users", "/settings/users/usr_a/remove": "Users",
	} {
		var got []string
		for _, link := range withCurrent(sectionLinks["/settings"], path) {
			if link.Current {
				got = append(got, link.Label)
			}
		}
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Errorf("%s: current links (-want +got):\n%s", path, diff)
		}
	}
}
