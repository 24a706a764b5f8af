package main

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// The aim for a job: from its request until the last card is changed, with all events.
const (
	jobCards   = 10_000
	maxJobTime = 20 * time.Second
	// jobPoll is the time between two looks at a job, jobWait how long it may take.
	jobPoll = 20 * time.Millisecond
	jobWait = 5 * time.Minute
)

// changedJob is a job of the API.
type changedJob struct {
	ID        string    `json:"id"`
	Status    string    `json:"status"`
	Done      int       `json:"done"`
	CreatedAt time.Time `json:"created_at"`
}

// measureJob measures a job that sets the price of many cards without one, which changes their status and records an
// event per card. Another job clears the prices again.
func measureJob(ctx context.Context, s settings, p *process, stock *stock, t *table) error {
	if len(stock.unpriced) < jobCards {
		return fmt.Errorf("the account has %d cards without a price; %d are needed", len(stock.unpriced), jobCards)
	}
	cards := stock.unpriced[:jobCards]
	took, set, err := changeByJob(ctx, p, s.token, cards, map[string]any{"amount": 1234, "currency": "USD"})
	if err != nil {
		return err
	}
	events, err := countEvents(ctx, s, set)
	if err != nil {
		return err
	}
	if _, _, err := changeByJob(ctx, p, s.token, cards, nil); err != nil {
		return err
	}
	name := fmt.Sprintf("A job that sets the price of %d cards: ", jobCards)
	t.add(name+"time", seconds(took), "", "", "≤ "+seconds(maxJobTime), took <= maxJobTime)
	t.add(name+"events of changed statuses", fmt.Sprint(events), "", "", fmt.Sprint(jobCards), events == jobCards)
	return nil
}

// changeByJob sets or clears the price of cards and returns how long that took and the job.
func changeByJob(
	ctx context.Context, p *process, token string, cards []string, price any,
) (took time.Duration, job changedJob, err error) {
	ctx, cancel := context.WithTimeout(ctx, jobWait)
	defer cancel()
	body := map[string]any{
		"kind": "update", "card_ids": cards, "patch": map[string]any{"pricing": map[string]any{"asking_price": price}},
	}
	began := time.Now()
	if err := send(ctx, p, "POST", "/jobs", token, body, &job); err != nil {
		return 0, job, err
	}
	poll := time.NewTicker(jobPoll)
	defer poll.Stop()
	for job.Status != "done" {
		select {
		case <-ctx.Done():
			return 0, job, fmt.Errorf("job %s is %s: %w", job.ID, job.Status, ctx.Err())
		case <-poll.C:
		}
		if err := fetch(ctx, p, "/jobs/"+job.ID, token, &job); err != nil {
			return 0, job, err
		}
	}
	took = time.Since(began)
	if job.Done != len(cards) {
		return 0, job, fmt.Errorf("job %s changed %d of %d cards", job.ID, job.Done, len(cards))
	}
	return took, job, nil
}

// countEvents returns the number of changed statuses that were recorded since the job.
func countEvents(ctx context.Context, s settings, job changedJob) (n int, err error) {
	db, err := sql.Open("postgres", s.database)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	err = db.QueryRowContext(ctx, `
		SELECT count(*) FROM events
		WHERE account_id = $1 AND created_at >= $2 AND event = 'card.workflow_status_changed'`,
		s.account, job.CreatedAt).Scan(&n)
	return n, err
}
