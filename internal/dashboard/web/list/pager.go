package list

import "net/url"

// Pager has the links to other pages of a list.
type Pager struct {
	Next  string // the address of the next page; "" if there is none
	First string // the address of the first page; "" if this is it
}

// NewPager returns the links of a page. next is the cursor of the next page, or nil. address returns the address of the
// page that a cursor leads to; the first page has the cursor "".
func NewPager(cursor string, next *string, address func(cursor string) string) (p Pager) {
	if next != nil {
		p.Next = address(*next)
	}
	if cursor != "" {
		p.First = address("")
	}
	return p
}

// Pages returns the links of a page whose address has the named parameters and no others.
func Pages(path string, query url.Values, next *string, names ...string) Pager {
	kept := url.Values{}
	for _, name := range names {
		kept.Set(name, query.Get(name))
	}
	return NewPager(query.Get("cursor"), next, func(cursor string) string {
		return Address(path, kept, "cursor", cursor)
	})
}

// Address returns the address of the first page of a list with a query in which one value is changed, or removed if it
// is "".
func Address(path string, query url.Values, name, value string) string {
	changed := url.Values{}
	for key, values := range query {
		if values[0] != "" && key != "cursor" {
			changed[key] = values[:1]
		}
	}
	if value == "" {
		changed.Del(name)
	} else {
		changed.Set(name, value)
	}
	if len(changed) == 0 {
		return path
	}
	return path + "?" + changed.Encode()
}

// Column is a column of a table.
type Column struct {
	Name, Label string // the name is that in addresses
	Figure      bool   // whether it has numbers
	Sort        string // the order by the column; "" if there is none
	Descending  bool   // whether the first click on its head sorts in descending order
}

// Head is the head of a column by which the page can be sorted.
type Head struct {
	Label   string
	Figure  bool   // whether the column has numbers
	Address string // of the page sorted by the column; "" if it cannot be
	Order   string // the value of aria-sort; "" if the page is not sorted by it
}

// Head returns the head of a column of a page with a query.
func (c Column) Head(path string, query url.Values) Head {
	head := Head{Label: c.Label, Figure: c.Figure}
	if c.Sort == "" {
		return head
	}
	first, second := c.Sort, "-"+c.Sort
	if c.Descending {
		first, second = second, first
	}
	head.Address = Address(path, query, "sort", first)
	sorted := query.Get("sort")
	switch sorted {
	case c.Sort:
		head.Order = "ascending"
	case "-" + c.Sort:
		head.Order = "descending"
	}
	if sorted == first {
		head.Address = Address(path, query, "sort", second)
	}
	return head
}
