package bulk

import (
	"net/http"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/jobs"
)

// jobFields are the fields that the dashboard's jobs set, in words.
var jobFields = map[string]string{
	"asking_price": "asking price", "floor_price": "floor price", "location": "location", "batch_id": "batch",
	"condition": "condition",
}

// fieldOf returns the field that a job sets in words, or "" if it sets another one or several.
func fieldOf(job *jobs.Job) string {
	if names := job.Fields(); len(names) == 1 {
		return jobFields[names[0]]
	}
	return ""
}

// whatOf returns what a job does, with the number of cards: "Change the asking price of 37 cards".
func whatOf(job *jobs.Job) string {
	count, field := format.Cards(int64(job.Total)), fieldOf(job)
	switch {
	case job.Kind == jobs.Restore:
		return "Bring " + count + " back"
	case job.Undoes != nil:
		return "Set " + count + " back"
	case field != "":
		return "Change the " + field + " of " + count
	}
	for _, action := range bulkActions {
		if action.kind == job.Kind && job.Kind != jobs.Update {
			return action.Title(int64(job.Total))
		}
	}
	return "Change " + count
}

// undoOfJob returns what the undo of a job does, with the number of cards: "set the asking price of 37 cards back".
func undoOfJob(job *jobs.Job) string {
	count, field := format.Cards(int64(job.Edits)), fieldOf(job)
	switch {
	case job.Undoes != nil:
		return "change " + count + " again"
	case job.Kind == jobs.Archive || job.Kind == jobs.Delete:
		return "bring " + count + " back"
	case field != "":
		return "set the " + field + " of " + count + " back"
	}
	return "set " + count + " back"
}

// addUndo offers to undo the job, if that is possible now.
func (h *Handlers) addUndo(p *jobPage) {
	until := p.Job.UndoableUntil()
	if until == nil || until.Before(h.Clock.Time()) {
		return
	}
	p.Undo, p.UndoUntil = "Undo: "+undoOfJob(&p.Job.Job), *until
}

// UndoJob starts the job that undoes a job, and leads to its page.
func (h *Handlers) UndoJob(w http.ResponseWriter, r *http.Request) error {
	undo, err := h.Jobs.Undo(r.Context(), web.VisitOf(r).Account.ID, mux.Vars(r)["id"], nil)
	if err != nil {
		return err
	}
	web.Redirect(w, r, "/jobs/"+undo.ID)
	return nil
}
