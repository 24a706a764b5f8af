package cardvault

import "iter"

// items yields the items of all pages, beginning with the page at cursor ("" is the first). fetch returns the items of
// a page and the cursor of the next page, nil after the last page. An error is yielded and ends the iteration.
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
