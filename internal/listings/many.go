package listings

import (
	"context"
	"fmt"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// ItemResult is a listing, or the fault of the request for it.
type ItemResult struct {
	Listing Listing
	Err     error
}

func (r ItemResult) err() error { return r.Err }

// PublishMany is Publish for many cards in one transaction, with their own titles and prices. A card that cannot be
// published changes nothing. If atomic is true, the first failure is returned as a *cards.ItemError and nothing
// changes. The cards must differ.
func (s *Service) PublishMany(
	ctx context.Context, accountID string, cardIDs []string, marketplace *string, sandboxAccount, atomic bool,
	hook postgres.TxHook,
) (results []ItemResult, err error) {
	chosen, err := s.choose(ctx, accountID, marketplace, sandboxAccount)
	if err != nil {
		return nil, err
	}
	if i := cards.Repeated(cardIDs); i >= 0 {
		return nil, repeated("card_ids", i)
	}
	if len(cardIDs) == 0 && hook == nil { // a filter matched no card, and there is no key to store
		return nil, nil
	}
	err = s.clock.WriteWithHook(ctx, s.db, accountID, hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		results, err = s.PublishManyIn(ctx, tx, stamp, cardIDs, chosen)
		if err == nil && atomic {
			err = cards.FirstError(results, ItemResult.err)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

func repeated(field string, i int) error {
	return fault.Invalid(fmt.Sprintf("%s.%d", field, i), "must differ from the identifiers before it")
}

// PublishManyIn is PublishMany inside a transaction that holds the account's clock. The number of statements does not
// depend on the number of cards.
func (s *Service) PublishManyIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string, marketplace string,
) ([]ItemResult, error) {
	next, made := id.Run(id.Listing, stamp.At), make([]Listing, len(cardIDs))
	refs := make([]cards.ListingRef, len(cardIDs))
	for i := range cardIDs {
		at := stamp.Offset(i).At
		made[i] = Listing{
			AccountID: stamp.AccountID, ID: next(), Marketplace: marketplace,
			Status: Publishing, Revision: Revision{Status: RevisionNone}, Version: 1, CreatedAt: at, UpdatedAt: at,
		}
		refs[i] = *made[i].ref()
	}
	// Publishing is refused for a price of zero too, which the card alone allows.
	priced := func(c *cards.Card) error {
		_, err := Listing{}.offering(*c, nil)
		return err
	}
	found, err := s.cards.StartListings(ctx, tx, stamp, cardIDs, refs, priced)
	if err != nil {
		return nil, err
	}
	results := make([]ItemResult, len(cardIDs))
	var published []Listing
	for i, r := range found {
		if results[i].Err = r.Err; r.Err != nil {
			continue
		}
		made[i].CardID = r.Card.ID
		if results[i].Listing, err = made[i].offering(r.Card, nil); err != nil {
			return nil, err
		}
		published = append(published, results[i].Listing)
	}
	if len(published) == 0 {
		return results, nil
	}
	if err := insertMany(ctx, tx, published); err != nil {
		return nil, fmt.Errorf("publish listings: %w", err)
	}
	if err := s.polls.EnqueueWithin(ctx, tx, stamp.AccountID, s.cfg.PollInterval, marketplace); err != nil {
		return nil, err
	}
	return results, s.work.Enqueue(ctx, tx, stamp.AccountID, identifiers(published)...)
}

// EndMany is End for many listings in one transaction, like PublishMany.
func (s *Service) EndMany(
	ctx context.Context, accountID string, listingIDs []string, atomic bool, hook postgres.TxHook,
) (results []ItemResult, err error) {
	if i := cards.Repeated(listingIDs); i >= 0 {
		return nil, repeated("listing_ids", i)
	}
	err = s.clock.WriteWithHook(ctx, s.db, accountID, hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		results, err = s.EndManyIn(ctx, tx, stamp, listingIDs)
		if err == nil && atomic {
			err = cards.FirstError(results, ItemResult.err)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// EndManyIn is EndMany inside a transaction that holds the account's clock. The number of statements does not depend on
// the number of listings.
func (s *Service) EndManyIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, listingIDs []string,
) ([]ItemResult, error) {
	found, err := findMany(ctx, tx, stamp.AccountID, listingIDs)
	if err != nil {
		return nil, err
	}
	results := make([]ItemResult, len(listingIDs))
	var ending []Listing
	var cardIDs []string
	var refs []cards.ListingRef
	for i, asked := range listingIDs {
		listingID, _ := id.Parse(id.Listing, asked)
		l, ok := found[listingID]
		switch {
		case !ok:
			results[i].Err = NotFound()
		case l.Status == Live:
			l = l.to(Ending)
			l.UpdatedAt = stamp.Offset(len(ending)).At
			ending, cardIDs, refs = append(ending, l), append(cardIDs, l.CardID), append(refs, *l.ref())
			results[i].Listing = l
		case l.Status == Ending:
			results[i].Listing = l
		default:
			results[i].Err = fault.New(fault.ListingNotLive,
				"This listing is %s; only a live one can be ended.", l.Status)
		}
	}
	if len(ending) == 0 {
		return results, nil
	}
	if err := s.cards.SetListings(ctx, tx, stamp, cardIDs, refs); err != nil {
		return nil, fmt.Errorf("end listings: %w", err)
	}
	if err := storeStatuses(ctx, tx, ending); err != nil {
		return nil, fmt.Errorf("end listings: %w", err)
	}
	return results, s.work.Enqueue(ctx, tx, stamp.AccountID, identifiers(ending)...)
}

// PublishCardsIn is PublishManyIn for a caller that needs the errors only.
func (s *Service) PublishCardsIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string, marketplace string,
) ([]error, error) {
	results, err := s.PublishManyIn(ctx, tx, stamp, cardIDs, marketplace)
	if err != nil {
		return nil, err
	}
	outcomes := make([]error, len(results))
	for i := range results {
		outcomes[i] = results[i].Err
	}
	return outcomes, nil
}

// EndCardsIn is EndManyIn for the listings of cards. It returns an error per card. The error of a card without a
// listing is listing_not_live.
func (s *Service) EndCardsIn(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string,
) ([]error, error) {
	found, err := s.cards.FindMany(ctx, tx, stamp.AccountID, cardIDs)
	if err != nil {
		return nil, err
	}
	outcomes := make([]error, len(cardIDs))
	var listingIDs []string
	var places []int
	for i, asked := range cardIDs {
		cardID, _ := id.Parse(id.Card, asked)
		card, ok := found[cardID]
		switch {
		case !ok:
			outcomes[i] = cards.NotFound()
		case card.Listing == nil:
			outcomes[i] = fault.New(fault.ListingNotLive, "This card has no live listing.")
		default:
			listingIDs, places = append(listingIDs, card.Listing.ID), append(places, i)
		}
	}
	ended, err := s.EndManyIn(ctx, tx, stamp, listingIDs)
	if err != nil {
		return nil, err
	}
	for i, place := range places {
		outcomes[place] = ended[i].Err
	}
	return outcomes, nil
}

func identifiers(list []Listing) []string {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	return ids
}

// findMany returns the listings of the account by identifier, without those that do not exist.
func findMany(ctx context.Context, q postgres.Querier, accountID string, ids []string) (map[string]Listing, error) {
	parsed := make([]string, len(ids))
	for i, text := range ids {
		parsed[i], _ = id.Parse(id.Listing, text)
	}
	var rows []row
	err := q.Select(ctx, &rows,
		`SELECT `+columns+` FROM listings WHERE account_id = $1 AND id = ANY($2)`, accountID, pq.Array(parsed))
	if err != nil {
		return nil, fmt.Errorf("load listings: %w", err)
	}
	found := make(map[string]Listing, len(rows))
	for _, r := range rows {
		found[r.ID] = r.listing()
	}
	return found, nil
}

// insertMany stores new listings.
func insertMany(ctx context.Context, tx *postgres.Tx, list []Listing) error {
	names := []string{
		"account_id", "id", "card_id", "marketplace", "status", "title", "price_amount", "price_currency", "version",
		"created_at", "updated_at",
	}
	return tx.InsertRows(ctx, "listings", names, func(yield func([]any) bool) {
		for _, l := range list {
			if !yield([]any{
				l.AccountID, l.ID, l.CardID, l.Marketplace, string(l.Status), l.Title, l.Price.Amount, l.Price.Currency,
				l.Version, l.CreatedAt, l.UpdatedAt,
			}) {
				return
			}
		}
	})
}

// storeStatuses stores the statuses and versions of listings of one account, and the statuses of their revisions.
func storeStatuses(ctx context.Context, tx *postgres.Tx, list []Listing) error {
	names := []string{"account_id", "id", "status", "revision_status", "version", "updated_at"}
	return tx.UpdateRows(ctx, "listings", list[0].AccountID, names, func(yield func([]any) bool) {
		for _, l := range list {
			row := []any{
				l.AccountID, l.ID, string(l.Status), string(l.Revision.Status), l.Version, l.UpdatedAt,
			}
			if !yield(row) {
				return
			}
		}
	})
}
