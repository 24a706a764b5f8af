package groupcommit

import (
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres"
)

// Each write is written as its account and its row.
func TestCommitter_PicksNextBatch(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, queue, busy string
		scope             postgres.GroupScope
		want              string
	}{
		{"empty queue", "", "", postgres.GroupAll, ""},
		{"in order of arrival", "a1 b1 c1", "", postgres.GroupAll, "a1 b1 c1"},
		{"first of each account first", "a1 a2 a3 a4 a5 b1 c1", "", postgres.GroupAll, "a1 b1 c1 a2"},
		{"one row once", "a1 a1 a1 b1", "", postgres.GroupAll, "a1 b1"},
		{"busy account", "a1 b1 a2", "a", postgres.GroupAll, "b1"},
		{"one account", "a1 b1 a2 a1 a3", "", postgres.GroupAccount, "a1 a2 a3"},
		{"one account, first is busy", "a1 b1 c1 b2", "a", postgres.GroupAccount, "b1 b2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := &Committer[string]{
				opts:  Options[string]{MaxBatch: 4, RowKey: func(row string) string { return row }},
				scope: tc.scope, busy: map[string]bool{tc.busy: true},
			}
			for _, w := range strings.Fields(tc.queue) {
				c.queue = append(c.queue, &pending[string]{accountID: w[:1], Write: Write[string]{Value: w[1:]}})
			}
			var got []string
			for _, p := range c.pick() {
				got = append(got, p.accountID+p.Value)
			}
			if strings.Join(got, " ") != tc.want {
				t.Errorf("picked %q, want %q", got, tc.want)
			}
		})
	}
}
