package usage

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// MaxReportTokens is the largest number of tokens of a Report.
const MaxReportTokens = 100

// Report is how many requests the tokens of an account sent.
type Report struct {
	Since, Before time.Time
	Hours         []Hour  // every hour, the oldest first; the last one is the current hour
	Tokens        []Token // with requests, most requests first; at most MaxReportTokens
}

// Hour is how many requests were sent in an hour.
type Hour struct {
	Start time.Time
	Classes
}

// Token is how many requests a token sent.
type Token struct {
	ID string
	Classes
}

// Log reads the usage of accounts.
type Log struct {
	db    *postgres.DB
	clock clock.Clock
}

// NewLog returns a Log.
func NewLog(db *postgres.DB, c clock.Clock) *Log { return &Log{db, c} }

// reportTimeout limits the query of a Report. A query over a week and 100 tokens reads 17,000 rows.
const reportTimeout = 5 * time.Second

// Report returns the usage of the last hours, 1 to MaxHours. A tokenID restricts it to the token. The usage of another
// account's token is empty.
func (l *Log) Report(ctx context.Context, accountID, tokenID string, hours int) (Report, error) {
	if fullID, ok := id.Parse(id.Token, tokenID); ok {
		tokenID = fullID
	}
	r := Report{Before: l.clock.Time().Truncate(time.Hour).Add(time.Hour)}
	r.Since = r.Before.Add(-time.Duration(hours) * time.Hour)
	rows, err := l.sums(ctx, accountID, tokenID, r.Since, r.Before)
	if err != nil {
		return Report{}, err
	}
	byHour := map[int64]Classes{}
	for _, row := range rows {
		if row.Hour != nil {
			byHour[row.Hour.Unix()] = row.classes()
		} else {
			r.Tokens = append(r.Tokens, Token{*row.TokenID, row.classes()})
		}
	}
	for at := r.Since; at.Before(r.Before); at = at.Add(time.Hour) {
		r.Hours = append(r.Hours, Hour{at, byHour[at.Unix()]})
	}
	slices.SortFunc(r.Tokens, func(a, b Token) int {
		return cmp.Or(cmp.Compare(b.Total().Requests, a.Total().Requests), strings.Compare(a.ID, b.ID))
	})
	r.Tokens = r.Tokens[:min(len(r.Tokens), MaxReportTokens)]
	return r, nil
}

// sum is the sum of an hour or of a token.
type sum struct {
	Hour          *time.Time `db:"hour"`     // nil for a token
	TokenID       *string    `db:"token_id"` // nil for an hour
	Reads         int64      `db:"reads"`
	Writes        int64      `db:"writes"`
	AI            int64      `db:"ai"`
	ReadsRefused  int64      `db:"reads_refused"`
	WritesRefused int64      `db:"writes_refused"`
	AIRefused     int64      `db:"ai_refused"`
}

func (s sum) classes() Classes {
	return Classes{
		Read: Counts{s.Reads, s.ReadsRefused}, Write: Counts{s.Writes, s.WritesRefused}, AI: Counts{s.AI, s.AIRefused},
	}
}

// sums returns the sums by hour and those by token. They come from one reading of the rows, so they agree.
func (l *Log) sums(ctx context.Context, accountID, tokenID string, since, before time.Time) ([]sum, error) {
	ctx, cancel := context.WithTimeout(ctx, reportTimeout)
	defer cancel()
	var rows []sum
	err := l.db.Select(ctx, &rows, `
		SELECT hour, token_id, sum(reads)::bigint AS reads, sum(writes)::bigint AS writes, sum(ai)::bigint AS ai,
			sum(reads_refused)::bigint AS reads_refused, sum(writes_refused)::bigint AS writes_refused,
			sum(ai_refused)::bigint AS ai_refused
		FROM request_usage
		WHERE account_id = $1 AND hour >= $2 AND hour < $3 AND $4 IN ('', token_id)
		GROUP BY GROUPING SETS ((hour), (token_id))`, accountID, since, before, tokenID)
	if err != nil {
		return nil, fmt.Errorf("sum requests: %w", err)
	}
	return rows, nil
}
