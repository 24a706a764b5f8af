package cardvault

import "context"

// DeleteMatching starts a job that deletes the cards that match the filter. You pass the number of cards that you
// expect. If the real number differs by more than 1 %, rounded down, nothing is deleted, and the error is
// [CodeUnexpectedCount]. The service refuses a filter without a condition and one with a blank text. [Client.UndoJob]
// brings the cards back for 24 hours.
//
// The fields of [JobFilter] that are "" are left out: check a text that a person has typed before you pass it.
func (c *Client) DeleteMatching(
	ctx context.Context, filter JobFilter, expected int, options ...RequestOption,
) (*Job, error) {
	count := int32(min(max(expected, -1), maxJobCards+1)) // the service refuses numbers out of bounds
	return c.CreateJob(ctx, JobInput{Kind: JobKindDelete, Filter: filter, ExpectedCount: &count}, options...)
}

// maxJobCards is the maximum number of cards of a job.
const maxJobCards = 1_000_000
