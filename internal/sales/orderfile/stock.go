package orderfile

import (
	"context"
	"math/big"
	"slices"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/paging"
)

// stock finds the cards of a SKU that can be sold, oldest first. It reads as many as the report needs.
type stock struct {
	cards   *cards.Service
	account string
	taken   map[string]bool // the cards of earlier lines
	copies  map[string]*copies
}

// copies are the cards of one SKU.
type copies struct {
	left []cards.Card // of the pages that were read
	next paging.Request
	read bool // all pages
}

func newStock(inventory *cards.Service, account string) *stock {
	return &stock{inventory, account, map[string]bool{}, map[string]*copies{}}
}

// first returns the first cards of the SKU that are neither sold nor taken, at most n.
func (s *stock) first(ctx context.Context, sku string, n int) ([]cards.Card, error) {
	of := s.copies[sku]
	if of == nil {
		of = &copies{next: paging.Request{Limit: paging.MaxLimit}}
		s.copies[sku] = of
	}
	for {
		free := of.left[:0]
		for _, card := range of.left {
			if !s.taken[card.ID] {
				free = append(free, card)
			}
		}
		of.left = free
		if len(of.left) >= n || of.read {
			return of.left[:min(n, len(of.left))], nil
		}
		if err := s.readPage(ctx, sku, of); err != nil {
			return nil, err
		}
	}
}

// release makes cards free again, which are in the order of age.
func (s *stock) release(list []cards.Card) {
	for _, card := range slices.Backward(list) {
		delete(s.taken, card.ID)
		if card.SKU != nil && s.copies[*card.SKU] != nil {
			of := s.copies[*card.SKU]
			of.left = slices.Insert(of.left, 0, card)
		}
	}
}

func (s *stock) readPage(ctx context.Context, sku string, of *copies) error {
	list, err := s.cards.List(ctx, s.account, cards.Filter{SKU: &sku, Sort: "created_at"}, of.next)
	if err != nil {
		return err
	}
	for i := range list.Data {
		if list.Data[i].CheckSellable() == nil {
			of.left = append(of.left, list.Data[i])
		}
	}
	if of.read = list.NextCursor == nil; !of.read {
		of.next.Cursor = *list.NextCursor
	}
	return nil
}

// split divides a total in proportion to the weights, or equally if all are zero. The parts add up to the total.
func split(total int64, weights []int64) []int64 {
	sum := new(big.Int)
	for _, w := range weights {
		sum.Add(sum, big.NewInt(w))
	}
	equal := sum.Sign() == 0
	if equal {
		sum.SetInt64(int64(len(weights)))
	}
	parts := make([]int64, len(weights))
	upTo, before := new(big.Int), int64(0)
	for i, w := range weights {
		if equal {
			w = 1
		}
		upTo.Add(upTo, big.NewInt(w))
		share := new(big.Int).Mul(upTo, big.NewInt(total))
		end := share.Quo(share, sum).Int64()
		parts[i], before = end-before, end
	}
	return parts
}
