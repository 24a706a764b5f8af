package marketplaces

import "context"

// BulkPublisher is a Marketplace that publishes and revises several offers with few calls.
//
// Both methods keep what Marketplace promises of each offer: they are idempotent, and the marketplace never has two
// listings of one ListingID. The result of an offer does not depend on the other offers, except that a call that fails
// as a whole, for example because the marketplace does not answer, is an error of every offer that was in it. Such an
// error is never a Refusal. The offers have different ListingIDs; there are at most MaxBulk.
type BulkPublisher interface {
	Marketplace

	// PublishMany is Publish for several offers. The results are in the order of the offers.
	PublishMany(ctx context.Context, offers []Offer) []PublishResult

	// ReviseMany is Revise for several offers. The results are in the order of the offers.
	ReviseMany(ctx context.Context, offers []Offer) []ReviseResult
}

// MaxBulk is the largest number of offers of PublishMany and ReviseMany. It is eBay's.
const MaxBulk = 25

// PublishResult is what Publish returns.
type PublishResult struct {
	Published
	Err error
}

// ReviseResult is what Revise returns.
type ReviseResult struct {
	Status
	Err error
}
