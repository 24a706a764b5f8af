package cardvault

import "iter"

// items yields the items of all pages from the one that cursor names ("" is the first). fetch returns a page's items and
// the cursor of the next page, nil after the last. An error is yielded, and ends it.
func items[T any](cursor string, fetch func(cursor string) ([]T, *string, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for next := &cursor; next != nil; {
			page, after, err := fetch(*next)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range page {
				if !yield(item, nil) {
					return
				}
			}
			next = after
		}
	}
}
