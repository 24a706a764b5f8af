package jobs

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/waiting"
)

// A job says why it waits until it is finished. A failed attempt does not change it.
func TestService_Waiting(t *testing.T) {
	t.Parallel()
	s := setup(t)
	job := s.accept(t, Request{Kind: Archive, CardIDs: s.create(t, 3)})
	waits := func() *waiting.Waiting {
		t.Helper()
		w, err := s.Waiting(t.Context(), s.account, job.ID)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	if w := waits(); w == nil || w.Reason != waiting.Queued || !w.Since.Equal(job.CreatedAt) {
		t.Errorf("a new job: got %+v, want queued since %v", w, job.CreatedAt)
	}
	s.changes.fail = func() bool { return true }
	loop := s.Background()
	if err := loop.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "an attempt fails", func() bool { return waits().Reason == waiting.Problem })
	if err := loop.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w := waits(); w.NextAttemptAt == nil || !w.Since.Equal(job.CreatedAt) {
		t.Errorf("after a failed attempt: got %+v, want a next attempt, since %v", w, job.CreatedAt)
	}
	if diff := cmp.Diff(job, s.get(t, job)); diff != "" {
		t.Errorf("a failed attempt changes the job (-before +after):\n%s", diff)
	}
	s.changes.fail = nil
	if s.finish(t, job); waits() != nil {
		t.Errorf("a finished job waits: %+v", waits())
	}
	if _, err := s.Waiting(t.Context(), s.account, "job_x"); !fault.Is(err, fault.JobNotFound) {
		t.Errorf("an unknown job: got %v, want job_not_found", err)
	}
}
