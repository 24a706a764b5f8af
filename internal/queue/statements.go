package queue

import "strings"

// statements are the SQL statements of one queue. Times are now(), in the database, plus intervals in
// microseconds.
type statements struct {
	dueAccounts, lag, audit                     string
	mark, enqueue, enqueueUnclaimed             string
	enqueueWithin, due, claimKeys               string
	claim, finish, retry, requeue, repeat, drop string
	claimed, release, unclaim                   string
	waiting, stuck                              string
}

// markAs marks the account for a row that is due at {due}. Statements that also write the row write the mark first, so
// that they do not deadlock with each other.
const markAs = `
	INSERT INTO queue_accounts AS a (account_id, queue, due_at, turn_at) VALUES ($1, '{table}', {due}, {due})
	ON CONFLICT (account_id, queue) DO UPDATE
	SET due_at = least(a.due_at, excluded.due_at), turn_at = least(a.turn_at, excluded.turn_at), changes = a.changes + 1
	RETURNING account_id`

// claimDue leases due rows and moves the account's mark to the earliest remaining row, including leased ones.
//
// The statement reads everything in one snapshot. It moves the mark only if no other transaction holds or has changed
// the mark since the snapshot. Then no row was enqueued that the snapshot lacks, because enqueuing changes the mark
// too. Otherwise the mark stays. It may then be too early, which does no harm.
//
// Rows are read from the mark on. Before it, the index has only entries of finished rows, and PostgreSQL keeps these
// during a long transaction, such as a backup.
const claimDue = `
	WITH seen AS MATERIALIZED (
		SELECT due_at, changes FROM queue_accounts WHERE account_id = $1 AND queue = '{table}'
	), due AS MATERIALIZED (
		SELECT {key} FROM {table}
		WHERE account_id = $1 AND due_at <= now() AND due_at >= (SELECT due_at FROM seen){which}
		ORDER BY due_at LIMIT $2
		FOR UPDATE SKIP LOCKED
	), claimed AS (
		UPDATE {table} q
		SET due_at = now() + $3 * interval '1 microsecond', claim_id = $4, attempts = attempts + 1,
			last_attempt_at = now()
		FROM due WHERE q.account_id = $1 AND q.{key} = due.{key}
		RETURNING q.account_id, q.{key} AS key, q.attempts, q.claim_id, q.due_at
	), left_over AS MATERIALIZED (
		SELECT due_at FROM {table}
		WHERE account_id = $1 AND due_at >= (SELECT due_at FROM seen) AND {key} NOT IN (SELECT {key} FROM due)
		ORDER BY due_at LIMIT 1
	), next AS MATERIALIZED (
		SELECT min(due_at) AS due_at, greatest(min(due_at), now()) AS turn_at
		FROM (SELECT due_at FROM left_over UNION ALL SELECT due_at FROM claimed) AS waiting
	), unchanged AS MATERIALIZED (
		SELECT account_id FROM queue_accounts
		WHERE account_id = $1 AND queue = '{table}' AND changes = (SELECT changes FROM seen)
		FOR UPDATE SKIP LOCKED
	), moved AS (
		UPDATE queue_accounts a SET due_at = next.due_at, turn_at = next.turn_at, changes = a.changes + 1
		FROM next, unchanged
		WHERE a.account_id = $1 AND a.queue = '{table}' AND next.due_at IS NOT NULL
	), emptied AS (
		DELETE FROM queue_accounts a USING next, unchanged
		WHERE a.account_id = $1 AND a.queue = '{table}' AND next.due_at IS NULL
	)
	SELECT account_id, key, attempts, claim_id FROM claimed`

// dueRows reads due rows, the longest waiting first, from the account's mark on.
const dueRows = `
	SELECT {key} AS key, attempts FROM {table}
	WHERE account_id = $1 AND due_at <= now()
	  AND due_at >= (SELECT due_at FROM queue_accounts WHERE account_id = $1 AND queue = '{table}')
	ORDER BY due_at LIMIT $2`

// dueAccounts reads the due marks from $1 on, and the current time.
const dueAccounts = `
	SELECT now() AS now, due.account_id, due.turn_at FROM (SELECT) AS one LEFT JOIN (
		SELECT account_id, turn_at FROM queue_accounts
		WHERE queue = '{table}' AND turn_at <= now() AND turn_at >= $1
		ORDER BY turn_at LIMIT $2
	) AS due ON true ORDER BY due.turn_at`

// oldestDue returns how many seconds the oldest row has been due, among the $1 accounts that have waited
// longest for their turn.
const oldestDue = `
	SELECT coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 FROM (
		SELECT due_at FROM queue_accounts WHERE queue = '{table}' AND turn_at <= now()
		ORDER BY turn_at LIMIT $1
	) AS due`

// auditRows reads the rows after a position and reports which accounts have a row without a mark.
const auditRows = `
	WITH slice AS MATERIALIZED (
		SELECT account_id, due_at FROM {table} WHERE (account_id, due_at) > ($1, $2)
		ORDER BY account_id, due_at LIMIT $3
	)
	SELECT s.account_id, max(s.due_at) AS last, a.due_at IS NULL OR a.due_at > min(s.due_at) AS unmarked
	FROM slice s LEFT JOIN queue_accounts a ON a.account_id = s.account_id AND a.queue = '{table}'
	GROUP BY s.account_id, a.due_at ORDER BY s.account_id`

// insertRows inserts rows, or applies {change} to existing ones. It follows a WITH part named account.
const insertRows = `
	INSERT INTO {table} AS q (account_id, {key}, due_at)
	SELECT account.account_id, key, {due} + (n - 1) * interval '1 microsecond'
	FROM account, unnest($2::text[]) WITH ORDINALITY AS keys (key, n)
	ON CONFLICT (account_id, {key}) DO UPDATE SET {change}`

// reschedule makes a claimed row due again. It follows a WITH part named account.
const reschedule = `
	UPDATE {table} q SET due_at = {due}, claim_id = NULL, {change} FROM account
	WHERE q.account_id = $1 AND account.account_id = $1 AND q.{key} = $2 AND q.claim_id = $3`

// claimedAccounts returns the accounts with rows that the process with a claim prefix has leased.
const claimedAccounts = `
	SELECT DISTINCT account_id FROM {table} WHERE left(claim_id, 13) = $1 AND claim_id IS NOT NULL`

// releaseRows makes the rows of an account due that a process has leased. It follows a WITH part named account.
const releaseRows = `
	UPDATE {table} q SET due_at = {due}, claim_id = NULL FROM account
	WHERE q.account_id = $1 AND account.account_id = $1 AND left(q.claim_id, 13) = $2 AND q.claim_id IS NOT NULL`

// unclaimRows makes the rows of a claim due. It follows a WITH part named account.
const unclaimRows = `
	UPDATE {table} q SET due_at = {due}, claim_id = NULL, attempts = q.attempts - 1 FROM account
	WHERE q.account_id = $1 AND account.account_id = $1 AND q.claim_id = $2`

// rowColumns selects a Row.
const rowColumns = `
	account_id, {key} AS key, waiting_since, due_at, claim_id IS NOT NULL AND due_at > now() AS claimed, attempts,
	coalesce(wait_reason, '') AS wait_reason, coalesce(last_error, '') AS last_error, last_attempt_at
	`

// newStatements returns the statements of the queue in table with the key column key.
func newStatements(table, key string) statements {
	text := func(statement string, more ...string) string {
		return strings.NewReplacer(append(more, "{table}", table, "{key}", key)...).Replace(statement)
	}
	mark := func(statement, due, change string) string {
		return text("WITH account AS ("+markAs+")"+statement, "{due}", due, "{change}", change)
	}
	const in3, in4 = "now() + $3 * interval '1 microsecond'", "now() + $4 * interval '1 microsecond'"
	return statements{
		dueAccounts: text(dueAccounts),
		lag:         text(oldestDue),
		audit:       text(auditRows),
		mark:        text(markAs, "{due}", "now()"),
		enqueue: mark(insertRows, "now()", `
			due_at = excluded.due_at, claim_id = NULL, attempts = 0, waiting_since = excluded.waiting_since,
			wait_reason = NULL, last_error = NULL, last_attempt_at = NULL`),
		enqueueUnclaimed: mark(insertRows, "now()", `
			due_at = CASE WHEN q.claim_id IS NULL THEN excluded.due_at ELSE q.due_at END,
			attempts = CASE WHEN q.claim_id IS NULL THEN 0 ELSE q.attempts END,
			waiting_since = CASE WHEN q.claim_id IS NULL THEN excluded.waiting_since ELSE q.waiting_since END,
			wait_reason = CASE WHEN q.claim_id IS NULL THEN NULL ELSE q.wait_reason END,
			last_error = CASE WHEN q.claim_id IS NULL THEN NULL ELSE q.last_error END`),
		enqueueWithin: mark(insertRows, in3, "due_at = least(q.due_at, excluded.due_at), claim_id = NULL"),
		due:           text(dueRows),
		claim:         text(claimDue, "{which}", ""),
		claimKeys:     text(claimDue, "{which}", " AND "+key+" = ANY($5)"),
		retry:         mark(reschedule, in4, "attempts = q.attempts, wait_reason = $5, last_error = $6"),
		requeue:       mark(reschedule, in4, "attempts = q.attempts - 1"),
		repeat: mark(reschedule, in4,
			"attempts = 0, wait_reason = $5, last_error = NULL, waiting_since = now()"),
		finish:  text(`DELETE FROM {table} WHERE account_id = $1 AND {key} = $2 AND claim_id = $3`),
		claimed: text(claimedAccounts),
		release: mark(releaseRows, "now()", ""),
		unclaim: mark(unclaimRows, "now()", ""),
		drop:    text(`DELETE FROM {table} WHERE account_id = $1 AND {key} = $2`),
		waiting: text("SELECT" + rowColumns + "FROM {table} WHERE account_id = $1 AND {key} = ANY($2)"),
		stuck: text("SELECT" + rowColumns + `FROM {table}
			WHERE $1 IN ('', account_id) AND (last_error IS NOT NULL OR due_at < now() - interval '1 minute')
			ORDER BY waiting_since, account_id, {key} LIMIT $2`),
	}
}
