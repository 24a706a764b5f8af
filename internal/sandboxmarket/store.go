package sandboxmarket

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
)

// store reads and writes offers. An update locks the SKU's row, applies a rule and stores the row, so
// updates of one SKU are serialized.
type store struct{ db *postgres.DB }

// key identifies one offer. An empty seller matches any: visitors of the site see the offers of all sellers.
type key struct{ column, value, seller string }

func bySKU(sku, seller string) key       { return key{"sku", sku, seller} }
func byOffer(offerID, seller string) key { return key{"offer_id", offerID, seller} }
func byListing(listingID string) key     { return key{"listing_id", listingID, ""} }

const offerColumns = "sku, seller, item, offer_id, terms, state, listing_id, marketplace, revised_on, " +
	"revisions, created_at, updated_at"

// find returns the offer, or offerNotFound if there is none.
func (s store) find(ctx context.Context, k key) (*offer, error) { return find(ctx, s.db, k, "") }

func find(ctx context.Context, q postgres.Querier, k key, lock string) (*offer, error) {
	var o offer
	err := q.Get(ctx, &o, "SELECT "+offerColumns+" FROM market.offers WHERE "+k.column+
		" = $1 AND ($2 = '' OR seller = $2)"+lock, k.value, k.seller)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, offerNotFound
	}
	return &o, err
}

// update applies a rule to an offer and stores the result.
func (s store) update(ctx context.Context, k key, rule func(*postgres.Tx, *offer) error) (*offer, error) {
	var result *offer
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		o, err := find(ctx, tx, k, " FOR UPDATE")
		if err != nil {
			return err
		}
		if err := rule(tx, o); err != nil {
			return err
		}
		o.UpdatedAt = now()
		result = o
		_, err = tx.Exec(ctx, `UPDATE market.offers
			SET item = $2, offer_id = $3, terms = $4, state = $5, listing_id = $6, marketplace = $7, revised_on = $8,
				revisions = $9, updated_at = $10
			WHERE sku = $1`, o.SKU, o.Item, o.OfferID, o.Terms, o.State, o.ListingID,
			o.Marketplace, o.RevisedOn, o.Revisions, o.UpdatedAt)
		return err
	})
	return result, err
}

// putItem creates or replaces the SKU's inventory item and reports whether it is new.
func (s store) putItem(ctx context.Context, seller, sku string, item wire.InventoryItem) (created bool, err error) {
	fresh := offer{}
	if err := fresh.replaceItem(item); err != nil {
		return false, err
	}
	result, err := s.db.Exec(ctx, `INSERT INTO market.offers (sku, seller, item, state, created_at, updated_at)
		VALUES ($1, $2, $3, 'draft', $4, $4) ON CONFLICT (sku) DO NOTHING`, sku, seller, fresh.Item, now())
	if err != nil {
		return false, fmt.Errorf("store item: %w", err)
	}
	if rows, err := result.RowsAffected(); err != nil || rows == 1 {
		return rows == 1, err
	}
	_, err = s.update(ctx, bySKU(sku, seller), func(_ *postgres.Tx, o *offer) error { return o.replaceItem(item) })
	return false, err
}

// buy sells a live offer at the asking price, or at paid if it is set, and returns the order. delivery is the price of
// the delivery, in the same currency.
func (s *server) buy(
	ctx context.Context, k key, buyer string, paid *money.Money, delivery int64,
) (order, error) {
	var result order
	_, err := s.store.update(ctx, k, func(tx *postgres.Tx, o *offer) error {
		if err := o.close(sold); err != nil {
			return err
		}
		item, terms, err := o.content()
		if err != nil {
			return err
		}
		cost, err := price(terms)
		if err != nil {
			return fmt.Errorf("buy offer: %w", err)
		}
		if paid != nil {
			cost = *paid
		}
		result = order{
			OrderID: orderID(), Seller: o.Seller, SKU: o.SKU, ListingID: *o.ListingID, Title: item.Product.Title,
			Buyer: buyer, Amount: cost.Amount, Currency: cost.Currency, CreatedAt: now(),
			Marketplace: o.Marketplace, Delivery: delivery,
		}
		result.Fee = fee(result.total())
		if err := result.insert(ctx, tx); err != nil {
			return err
		}
		return s.enqueue(ctx, tx, result)
	})
	return result, err
}

// end ends a live offer as its seller or the marketplace does on the site.
func (s store) end(ctx context.Context, k key) (*offer, error) {
	return s.update(ctx, k, func(_ *postgres.Tx, o *offer) error { return o.close(ended) })
}

// live returns up to n live offers, most recently updated first. It starts after the offer with this update
// time and SKU.
func (s store) live(ctx context.Context, before time.Time, sku string, n int) ([]offer, error) {
	var list []offer
	err := s.db.Select(ctx, &list, "SELECT "+offerColumns+` FROM market.offers
		WHERE state = $1 AND (updated_at, sku) < ($2, $3) ORDER BY updated_at DESC, sku DESC LIMIT $4`,
		live, before, sku, n)
	return list, err
}

// number returns a random number of n digits, the format of eBay's identifiers.
func number(n int64) string {
	low := new(big.Int).Exp(big.NewInt(10), big.NewInt(n-1), nil)
	span := new(big.Int).Mul(low, big.NewInt(9))
	random, _ := rand.Int(rand.Reader, span) // never fails: crypto/rand aborts the program instead
	return strconv.FormatInt(random.Add(random, low).Int64(), 10)
}

func orderID() string { return number(2) + "-" + number(5) + "-" + number(5) }
