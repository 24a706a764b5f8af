package etag_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/api/etag"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for header, want := range map[string][]etag.Tag{
		``:                       nil,
		`"3"`:                    {{Value: "3"}},
		`W/"3"`:                  {{Value: "3", Weak: true}},
		` "1" ,W/"2",, "a,b" `:   {{Value: "1"}, {Value: "2", Weak: true}, {Value: "a,b"}},
		`""`:                     {{}},
		`3`:                      nil,
		`3, "4"`:                 {{Value: "4"}},
		`"open`:                  nil,
		`w/"3"`:                  nil,
		`"1" "2"`:                {{Value: "1"}, {Value: "2"}},
		`,`:                      nil,
		`"*"`:                    {{Value: "*"}},
		"\t\"tab\"\t":            {{Value: "tab"}},
		`"a", garbage, W/"b", x`: {{Value: "a"}, {Value: "b", Weak: true}},
	} {
		t.Run(header, func(t *testing.T) {
			got, any := etag.Parse(header)
			if any {
				t.Error("the header is taken for *")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("tags (-want +got):\n%s", diff)
			}
		})
	}
	if _, any := etag.Parse(" * "); !any {
		t.Error("* names every version")
	}
}

func TestNoneMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		header, current string
		want            bool
	}{
		{`"3"`, `"3"`, true},
		{`W/"3"`, `"3"`, true},
		{`"2", "3"`, `"3"`, true},
		{`*`, `"3"`, true},
		{`"2"`, `"3"`, false},
		{`3`, `"3"`, false},
		{``, `"3"`, false},
		{`*`, ``, false},
	} {
		t.Run(c.header+" "+c.current, func(t *testing.T) {
			if got := etag.NoneMatch(c.header, c.current); got != c.want {
				t.Errorf("If-None-Match: %s against %s: %v", c.header, c.current, got)
			}
		})
	}
}
