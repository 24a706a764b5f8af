package cards

import (
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/quota"
)

// usage returns what the card counts against the quotas of its account. A zero Card counts nothing.
func (c *Card) usage() quota.Usage {
	if c.ID == "" {
		return quota.Usage{}
	}
	u := quota.Usage{Cards: 1, CardBytes: c.textBytes(), Photos: int64(len(c.Photos))}
	for _, photo := range c.Photos {
		u.PhotoBytes += photo.Size
	}
	return u
}

// textBytes returns the length of the card's texts and metadata.
func (c *Card) textBytes() (n int64) {
	for _, f := range ownedFields {
		n += f.bytes(c)
	}
	for key, value := range c.Metadata {
		n += int64(len(key) + len(value))
	}
	return n
}

// checkQuota returns quota_exceeded if the actor's change adds more than the quotas of the account allow. more is what
// the change adds, with the changes before it. What CardVault adds itself to a card, such as a title that it has
// identified, is counted and never refused.
func (st *step) checkQuota(tx *postgres.Tx, stamp clock.Stamp, more quota.Usage) error {
	if !st.isNew() && (st.actor.Type == caller.WorkerActor || identifiedNow(&st.before, &st.after)) {
		return nil
	}
	return stamp.Check(tx, more)
}

// identifiedNow reports whether the change stores what a provider has identified.
func identifiedNow(before, after *Card) bool {
	was, is := &before.Identification, &after.Identification
	return is.Provider != nil && is.IdentifiedAt != nil &&
		(was.IdentifiedAt == nil || !was.IdentifiedAt.Equal(*is.IdentifiedAt))
}

// countChanges counts the changes of cards of one account.
func countChanges(tx *postgres.Tx, befores, afters []Card) {
	var sum quota.Usage
	for i := range afters {
		if clock.Counted(tx, afters[i].AccountID, afters[i].ID) {
			sum = sum.Plus(afters[i].usage().Minus(befores[i].usage()))
		}
	}
	if len(afters) > 0 {
		clock.Count(tx, afters[0].AccountID, sum)
	}
}

// countDeleted counts cards of one account that are deleted.
func countDeleted(tx *postgres.Tx, accountID string, deleted []*Card) {
	var sum quota.Usage
	for _, card := range deleted {
		if clock.Counted(tx, accountID, card.ID) {
			sum = sum.Minus(card.usage())
		}
	}
	clock.Count(tx, accountID, sum)
}
