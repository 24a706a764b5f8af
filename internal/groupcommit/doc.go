// Package groupcommit combines concurrent small writes into one database transaction.
//
// Most of the cost of a small write surrounds it: a round trip for each statement, and a commit that
// waits for the disk. Under load, this package shares these costs among the writes that arrive
// together. Without load, a write runs at once and alone. Two techniques work together: group commit
// reduces the number of transactions, and statement batching the number of statements in a transaction.
//
// # Group commit
//
// A [Committer] makes writes of one kind, such as updates of single cards. [Committer.Write] adds a
// write to a queue. If no batch runs, the queued writes become the next batch at once, even if there
// is only one. Otherwise they wait for the running batch to end, and more writes join them. A batch
// takes up to Options.MaxBatch writes: every account's first write, then every account's second, and
// so on, so that an account with many writers does not delay the others. It holds no two writes of the
// same row (Options.RowKey), because a write must see the result of the previous one. A full batch does
// not wait for the running one; up to maxBatches run at a time, never two with the same account.
//
// A batch is one transaction with four round trips and a commit, whatever the number of its writes:
//
//	BEGIN
//	lock and advance the clocks of the accounts       clock.Clock.TryLockAll
//	read, decide, defer the statements of all writes  Options.Apply
//	run all deferred statements as one                postgres.Tx.Flush
//	COMMIT
//
// Each write has a stamp of its own, in the order of the queue, as if it had run alone.
//
// # Statement batching
//
// Apply does not run its INSERT, UPDATE and DELETE statements. It defers them, and the transaction
// runs them together as one statement before its next query or its commit:
//
//   - [postgres.Tx.Defer] adds a statement of its own. Several become one WITH, in which each but
//     the last is a data-modifying common table expression.
//   - [postgres.Tx.DeferRows] adds rows to a statement that takes arrays, such as
//     INSERT … SELECT … FROM unnest($1, $2). Rows of the same statement are appended to its arrays.
//
// Statements in one WITH do not see each other's changes and must not change the same row. This is
// another reason for RowKey. The text of the WITH depends on the number of writes, and each text is
// prepared once on every connection, so MaxBatch is small, while DeferRows does not add texts.
//
// # Failures
//
// Each write is all or nothing by itself, and its caller gets its own error:
//
//   - Apply refuses a write by setting its error (Write.Err), and makes no part of it. So does the guard of
//     its caller (postgres.WithGuard) with a fault. The others commit.
//   - If Apply returns an error, if it panics, or if a shared statement fails, the batch is rolled back
//     and each of its writes runs in a transaction of its own. The error or panic then reaches the caller
//     of the write that caused it.
//   - If the commit itself fails, its outcome is unknown. Every write of the batch reports the error
//     and none is repeated. See postgres.UnknownOutcome.
//
// # Latency
//
// No write waits long because of another one:
//
//   - Accounts whose clock another transaction holds are left out of the batch. Their writes run
//     alone, and wait for the clock like clock.Clock.Write.
//   - A batch that waits longer than lockTimeout for a row lock is rolled back; its writes run alone.
//   - A batch that runs longer than defaultSlowAfter no longer delays the next one.
//   - A batch that runs longer than batchTimeout is rolled back; its writes run alone.
//   - A caller returns when its context ends, even while its batch runs.
//
// # Scope
//
// postgres.Config.GroupScope (CARDVAULT_GROUP_COMMIT) sets which writes may share a transaction: "all",
// writes of one "account", or "off". In a distributed database, a transaction of several accounts needs a
// two-phase commit, which costs more than grouping saves.
//
// A write that has to commit together with statements of its caller (postgres.TxHook) does not use this
// package; see clock.Clock.WriteWithHook. The package does not depend on the content of a write.
package groupcommit
