package measure

import (
	"context"
	"database/sql"
	"fmt"
)

// tolerance bounds a peak after the warm-up, as a multiple of the peak during it.
const tolerance = 1.25

// Peak is the largest observed value of something, in bytes, during a warm-up and after it.
type Peak struct {
	Name  string
	Spare int64 // bytes that it may grow by beside the tolerance

	warmUp, later int64
}

// Note records a value. later says that the warm-up is over.
func (p *Peak) Note(bytes int64, later bool) {
	if later {
		p.later = max(p.later, bytes)
	} else {
		p.warmUp = max(p.warmUp, bytes)
	}
}

func (p *Peak) bound() int64 { return int64(tolerance*float64(p.warmUp)) + p.Spare }

// Err returns an error if the peak exceeds its bound.
func (p *Peak) Err() error {
	if p.later > p.bound() {
		return fmt.Errorf("%v: it has grown", p)
	}
	return nil
}

func (p *Peak) String() string {
	return fmt.Sprintf("%s: at most %s during the warm-up, %s after it; bound %s", p.Name, mebibytes(p.warmUp),
		mebibytes(p.later), mebibytes(p.bound()))
}

func mebibytes(bytes int64) string { return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20)) }

// SessionMemory returns the number of PostgreSQL's sessions and their mean memory in bytes, without shared memory. The
// sum depends on how many connections the load happens to need.
func SessionMemory(ctx context.Context, db *sql.DB) (sessions int, mean int64, err error) {
	rows, err := db.QueryContext(ctx, `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'`)
	if err != nil {
		return 0, 0, err
	}
	defer rows.Close()
	var sum int64
	for rows.Next() {
		var pid Process
		if err := rows.Scan(&pid); err != nil {
			return 0, 0, err
		}
		if own, err := pid.Memory("RssAnon"); err == nil { // otherwise it has ended
			sessions++
			sum += own
		}
	}
	return sessions, sum / int64(max(1, sessions)), rows.Err()
}
