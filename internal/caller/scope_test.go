package caller

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseScopes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []Scope // nil if the text is invalid
	}{
		{"read", []Scope{ReadScope}},
		{"webhooks, read,read", []Scope{ReadScope, WebhooksScope}},
		{"write,read", DefaultScopes},
		{"", nil},
		{"read,", nil},
		{"Read", nil},
		{"admin", nil},
	} {
		t.Run(c.text, func(t *testing.T) {
			t.Parallel()
			got, err := ParseScopes(c.text)
			if diff := cmp.Diff(c.want, got); diff != "" || (err == nil) != (c.want != nil) {
				t.Errorf("error %v, scopes (-want +got):\n%s", err, diff)
			}
		})
	}
}
