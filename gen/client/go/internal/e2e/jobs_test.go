//go:build e2e

package e2e

import (
	"fmt"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

var jobSteps = []step{
	{"createJob", func(s *seller) (err error) {
		s.job, err = s.CreateJob(s.ctx, cardvault.JobInput{
			Kind: cardvault.JobKindUpdate, CardIDs: []string{s.card.ID, noCard},
			Patch: cardvault.CardPatch{Notes: cardvault.Set("From a job"), Location: cardvault.Clear[string]()},
		})
		if err != nil {
			return err
		}
		return want(s.job.Total == 2, "%+v", s.job)
	}},
	{"getJob", func(s *seller) error {
		if err := awaitJob(s); err != nil {
			return err
		}
		card, err := s.GetCard(s.ctx, s.card.ID)
		if err != nil {
			return err
		}
		s.card = card
		return want(s.job.Done == 1 && s.job.Refused == 1 && *card.Notes == "From a job", "%+v, %+v", s.job, card)
	}},
	{"getJobWaiting", func(s *seller) error {
		waiting, err := s.GetJobWaiting(s.ctx, s.job.ID)
		if err != nil {
			return err
		}
		return want(waiting.Waiting == nil, "%+v", waiting)
	}},
	{"listJobRefusals", func(s *seller) error {
		page, err := s.ListJobRefusals(s.ctx, s.job.ID, nil)
		if err != nil {
			return err
		}
		refused := page.Data[0]
		return want(refused.CardID == noCard && refused.Error.Code == cardvault.CodeCardNotFound, "%+v", page)
	}},
	{"undoJob", func(s *seller) (err error) {
		done := s.job.ID
		if s.job, err = s.UndoJob(s.ctx, done); err != nil {
			return err
		}
		if err := awaitJob(s); err != nil {
			return err
		}
		if s.card, err = s.GetCard(s.ctx, s.card.ID); err != nil {
			return err
		}
		undone := s.job.Undoes != nil && *s.job.Undoes == done && s.job.Done == 1
		return want(undone && (s.card.Notes == nil || *s.card.Notes != "From a job"), "%+v, %+v", s.job, s.card)
	}},
	{"cancelJob", func(s *seller) error {
		filter := cardvault.JobFilter{IDs: []string{noCard}}
		made, err := s.CreateJob(s.ctx, cardvault.JobInput{
			Kind: cardvault.JobKindUpdate, Filter: filter,
			PriceChange: cardvault.PriceChange{Percent: -12.5, RoundTo99: true},
		})
		if err != nil {
			return err
		}
		s.job, err = s.CancelJob(s.ctx, made.ID)
		if err != nil {
			return err
		}
		return want(s.job.FinishedAt != nil, "%+v", s.job)
	}},
	{"listJobs", func(s *seller) error {
		page, err := s.ListJobs(s.ctx, &cardvault.ListJobsParams{Limit: 1})
		if err != nil {
			return err
		}
		return want(page.Data[0].ID == s.job.ID && page.HasMore, "%+v", page)
	}},
}

// awaitJob polls the job until it is done, for at most 30 seconds.
func awaitJob(s *seller) (err error) {
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.After(30 * time.Second); ; {
		s.job, err = s.GetJob(s.ctx, s.job.ID)
		if err != nil || s.job.Status == cardvault.JobStatusDone {
			return err
		}
		select {
		case <-deadline:
			return fmt.Errorf("the job is still %s", s.job.Status)
		case <-poll.C:
		}
	}
}
