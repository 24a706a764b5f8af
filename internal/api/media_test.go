package api

import (
	"strings"
	"testing"
)

func TestAcceptsJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		accept []string
		want   bool
	}{
		{nil, true},
		{[]string{""}, true},
		{[]string{"application/json"}, true},
		{[]string{"APPLICATION/JSON; charset=utf-8"}, true},
		{[]string{"text/html, application/xhtml+xml, */*;q=0.8"}, true},
		{[]string{"text/html", "application/*"}, true},
		{[]string{"application/json;q=0.001"}, true},
		{[]string{"application/json; q=0"}, false},
		{[]string{"*/*, application/json;q=0.0"}, false},
		{[]string{"application/*;q=0, */*"}, false},
		{[]string{"application/*;q=0, application/json"}, true},
		{[]string{"text/html"}, false},
		{[]string{"application/xml, nonsense"}, false},
	} {
		t.Run(strings.Join(c.accept, ", "), func(t *testing.T) {
			if got := acceptsJSON(c.accept); got != c.want {
				t.Errorf("Accept: %q: %v", c.accept, got)
			}
		})
	}
}
