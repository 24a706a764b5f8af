package delivery

import (
	"testing"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/webhooks"
)

func TestCompleter_GroupByScope(t *testing.T) {
	t.Parallel()
	of := func(account string) result { return result{job: &job{key: webhooks.EndpointKey{Account: account}}} }
	batch := []result{of("a"), of("b"), of("a")}
	for scope, want := range map[postgres.GroupScope]int{postgres.GroupAll: 1, postgres.GroupAccount: 2,
		postgres.GroupOff: 2} {
		t.Run(string(scope), func(t *testing.T) {
			t.Parallel()
			db, err := postgres.Open(postgres.Config{URL: "postgres://cardvault@127.0.0.1:1/none?sslmode=disable",
				GroupScope: scope})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			parts := (&completer{engine: &Engine{db: db}}).groupByScope(batch)
			results := 0
			for _, part := range parts {
				results += len(part)
			}
			if len(parts) != want || results != len(batch) {
				t.Errorf("%d batches of %d results, want %d of %d", len(parts), results, want, len(batch))
			}
		})
	}
}
