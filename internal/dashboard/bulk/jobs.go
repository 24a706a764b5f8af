package bulk

import (
	"context"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/jobs"
	"github.com/cardvault/cardvault/internal/paging"
)

// jobsPage is the data of the page jobs.
type jobsPage struct {
	Jobs []shownJob
	list.Pager
}

// shownJob is a job with its progress.
type shownJob struct {
	jobs.Job
	What    string // "Archive 37 cards"
	Worked  int64  // cards that were changed or refused
	Percent int64
}

// jobPage is the data of the page job.
type jobPage struct {
	Job        shownJob
	Running    bool
	Wait       *lookup.Wait // nil if the job has finished
	Undo       string       // what undoes the job; "" if that is not possible
	UndoUntil  time.Time
	Refusals   []shownRefusal
	list.Pager // of refusals
}

// shownRefusal is a card that a job could not change.
type shownRefusal struct {
	CardID  string
	Title   string // "" if the card has none or does not exist
	Exists  bool
	Message string
	Fields  []fault.Detail
}

// jobsPerPage is the number of rows of the page.
const jobsPerPage = 50

func (h *Handlers) ListJobs(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	request := paging.Request{Limit: jobsPerPage, Cursor: query.Get("cursor")}
	found, err := h.Jobs.List(r.Context(), web.VisitOf(r).Account.ID, request)
	if err != nil {
		return err
	}
	var p jobsPage
	for _, job := range found.Data {
		p.Jobs = append(p.Jobs, newShownJob(job))
	}
	p.Pager = list.Pages("/jobs", query, found.NextCursor)
	return h.Show(w, r, http.StatusOK, "jobs", "Jobs", p)
}

// newShownJob returns a job with its progress. The total of a job with a filter rises while its cards are collected.
func newShownJob(job jobs.Job) shownJob {
	shown := shownJob{Job: job, What: whatOf(&job), Worked: int64(job.Done + job.Refused)}
	if job.Total > 0 {
		shown.Percent = 100 * shown.Worked / int64(job.Total)
	}
	return shown
}

func (h *Handlers) ShowJob(w http.ResponseWriter, r *http.Request) error {
	account, jobID := web.VisitOf(r).Account, mux.Vars(r)["id"]
	job, err := h.Jobs.Get(r.Context(), account.ID, jobID)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	request := paging.Request{Limit: jobsPerPage, Cursor: query.Get("cursor")}
	refused, err := h.Jobs.Refusals(r.Context(), account.ID, jobID, request)
	if err != nil {
		return err
	}
	p := jobPage{Job: newShownJob(job), Running: !job.Status.Finished()}
	h.addUndo(&p)
	if p.Running {
		waits, err := h.Jobs.Waiting(r.Context(), account.ID, jobID)
		if err != nil {
			return err
		}
		p.Wait = lookup.NewWait(waits, h.Clock.Time())
	}
	if p.Refusals, err = h.refusals(r.Context(), account.ID, refused.Data); err != nil {
		return err
	}
	p.Pager = list.Pages("/jobs/"+job.ID, query, refused.NextCursor)
	web.ShowEnd(w, r, p.Running)
	return h.Show(w, r, http.StatusOK, "job", p.Job.What, p)
}

// refusals adds the titles of the cards.
func (h *Handlers) refusals(ctx context.Context, accountID string, refused []jobs.Refusal) ([]shownRefusal, error) {
	if len(refused) == 0 {
		return nil, nil
	}
	ids := make([]string, len(refused))
	for i := range refused {
		ids[i] = refused[i].CardID
	}
	found, err := h.Cards.List(ctx, accountID, cards.Filter{IDs: ids}, paging.Request{Limit: len(ids)})
	if err != nil {
		return nil, err
	}
	titles := make(map[string]string, len(found.Data))
	for _, card := range found.Data {
		titles[card.ID] = format.Text(card.Identification.Title)
	}
	shown := make([]shownRefusal, len(refused))
	for i, refusal := range refused {
		title, exists := titles[refusal.CardID]
		shown[i] = shownRefusal{refusal.CardID, title, exists, refusal.Err.Message, refusal.Err.Details}
	}
	return shown, nil
}

func (h *Handlers) CancelJob(w http.ResponseWriter, r *http.Request) error {
	job, err := h.Jobs.Cancel(r.Context(), web.VisitOf(r).Account.ID, mux.Vars(r)["id"], nil)
	if err != nil {
		return err
	}
	web.Redirect(w, r, "/jobs/"+job.ID)
	return nil
}
