package bulk

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/jobs"
)

func TestUndoOfJob(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		job        jobs.Job
		what, undo string
	}{
		"price": {
			jobs.Job{Kind: jobs.Update, Patch: new(`{"asking_price":{"amount":1}}`), Total: 1240, Edits: 1239},
			"Change the asking price of 1,240 cards", "set the asking price of 1,239 cards back",
		},
		"percent": {
			jobs.Job{Kind: jobs.Update, Patch: new(`[{"hundredths":1000}]`), Total: 2, Edits: 1},
			"Change the asking price of 2 cards", "set the asking price of 1 card back",
		},
		"estimate": {
			jobs.Job{Kind: jobs.Update, Patch: new(`[[{"of_estimate":true,"hundredths":0}]]`), Total: 2, Edits: 2},
			"Change the asking price of 2 cards", "set the asking price of 2 cards back",
		},
		"batch": {
			jobs.Job{Kind: jobs.Update, Patch: new(`{"batch_id":null}`), Total: 2, Edits: 2},
			"Change the batch of 2 cards", "set the batch of 2 cards back",
		},
		"several fields": {
			jobs.Job{Kind: jobs.Update, Patch: new(`{"location":"x","notes":"y"}`), Total: 2, Edits: 2},
			"Change 2 cards", "set 2 cards back",
		},
		"archive": {jobs.Job{Kind: jobs.Archive, Total: 2, Edits: 2}, "Archive 2 cards", "bring 2 cards back"},
		"undo": {
			jobs.Job{Kind: jobs.Update, Patch: new(`["undo"]`), Undoes: new("job_1"), Total: 2, Edits: 2},
			"Set 2 cards back", "change 2 cards again",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := []string{whatOf(&tc.job), undoOfJob(&tc.job)}
			if diff := cmp.Diff([]string{tc.what, tc.undo}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
