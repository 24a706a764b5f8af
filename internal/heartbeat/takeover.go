package heartbeat

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/worker"
)

// process is a row of another process. Times since are microseconds by the database's clock.
type process struct {
	ID     postgres.ProcessID `db:"id"`
	Seen   time.Time          `db:"seen_at"`
	Silent int64              `db:"silent"` // since seen_at
	Gone   *int64             `db:"gone"`   // since gone_at; nil if the process is not marked

	left time.Duration // time until the process is gone; set by observe
}

// announce renews the row of this process. If another process has marked or deleted the row, this process continues
// under a new identity.
func (h *Heart) announce(ctx context.Context, now time.Time) error {
	self := h.db.Process()
	result, err := h.beats.Exec(ctx,
		`UPDATE processes SET seen_at = now() WHERE id = $1 AND gone_at IS NULL`, self.ID())
	if err != nil {
		return fmt.Errorf("renew the row: %w", err)
	}
	rows, err := result.RowsAffected()
	if err != nil {
		return fmt.Errorf("renew the row: %w", err)
	}
	if rows == 0 {
		if h.known {
			h.known = false
			slog.WarnContext(ctx, "another process took over the leases of this one, which was silent for too long")
			self.Replace()
		}
		_, err = h.beats.Exec(ctx, `INSERT INTO processes (id, seen_at) VALUES ($1, now())`, self.ID())
		if err != nil {
			return fmt.Errorf("insert the row: %w", err)
		}
	}
	h.known = true
	self.Announced(now.Add(goneAfter))
	return nil
}

// others returns the rows of the other processes.
func (h *Heart) others(ctx context.Context) (rows []process, err error) {
	err = h.beats.Select(ctx, &rows, `
		SELECT id, seen_at, (extract(epoch FROM now() - seen_at) * 1000000)::bigint AS silent,
		       (extract(epoch FROM now() - gone_at) * 1000000)::bigint AS gone
		FROM processes WHERE id <> $1`, h.db.Process().ID())
	if err != nil {
		return nil, fmt.Errorf("load the processes: %w", err)
	}
	return rows, nil
}

// observe updates the records about other processes and sets the time until each process counts as dead. now is the
// start of the beat.
func (h *Heart) observe(rows []process, now time.Time) []process {
	broken := now.Sub(h.last) > maxPause
	h.last = now
	watches := make(map[postgres.ProcessID]watch, len(rows))
	for i, row := range rows {
		w, ok := h.watched[row.ID]
		if !ok || broken || !w.seen.Equal(row.Seen) {
			w = watch{seen: row.Seen, since: now}
		}
		watches[row.ID] = w
		rows[i].left = max(goneAfter-time.Duration(row.Silent)*time.Microsecond, watchTime-now.Sub(w.since))
		if row.Gone != nil {
			rows[i].left = takeoverTime - time.Duration(*row.Gone)*time.Microsecond
		}
	}
	h.watched = watches
	return rows
}

// mark marks a process as gone and starts to release its leases. If another process has marked it in the meantime, mark
// leaves the leases to that one.
func (h *Heart) mark(ctx context.Context, row process) error {
	if row.Gone == nil {
		result, err := h.beats.Exec(ctx, `
			UPDATE processes SET gone_at = now() WHERE id = $1 AND seen_at = $2 AND gone_at IS NULL`, row.ID, row.Seen)
		if err != nil {
			return fmt.Errorf("mark a process as gone: %w", err)
		}
		if rows, err := result.RowsAffected(); err != nil || rows == 0 {
			return err
		}
		slog.InfoContext(ctx, "a process is gone; its leases are released",
			"silent", time.Duration(row.Silent)*time.Microsecond)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.taking[row.ID] {
		return nil
	}
	h.taking[row.ID] = true
	h.takeovers.Go(func() { h.takeOver(row.ID) })
	return nil
}

// takeOver releases the leases of a process. If that fails, a later beat of any process repeats it.
func (h *Heart) takeOver(id postgres.ProcessID) {
	if err := h.release(h.ctx, id); err != nil {
		slog.WarnContext(h.ctx, "releasing the leases of a process that is gone failed; it will be repeated",
			"error", err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.taking, id)
}

// release calls every Release for the process. If all calls succeed, it deletes the process's row.
func (h *Heart) release(ctx context.Context, id postgres.ProcessID) error {
	errs := make([]error, len(h.releases))
	for i, release := range h.releases {
		errs[i] = releaseOne(ctx, release, id)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if _, err := h.db.Exec(ctx, `DELETE FROM processes WHERE id = $1`, id); err != nil {
		return fmt.Errorf("delete the row: %w", err)
	}
	return nil
}

func releaseOne(ctx context.Context, release Release, id postgres.ProcessID) (err error) {
	defer worker.Recover(&err)
	ctx, cancel := context.WithTimeout(ctx, releaseTimeout)
	defer cancel()
	return release(ctx, id)
}
