package v1

import (
	"slices"
	"strconv"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api/etag"
	"github.com/cardvault/cardvault/internal/api/form"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/photos"
)

// pageOf converts the parameters limit and cursor.
func pageOf(limit *server.Limit, cursor *server.Cursor) paging.Request {
	var p paging.Request
	if limit != nil {
		p.Limit = int(*limit)
	}
	if cursor != nil {
		p.Cursor = *cursor
	}
	return p
}

// text returns the value of an enumeration as a string.
func text[T ~string](v *T) *string {
	if v == nil {
		return nil
	}
	s := string(*v)
	return &s
}

// match returns the condition of an If-Match header, or nil if there is none. A header that no version can match fails
// with invalid_request, because version_mismatch would not tell what to correct.
func match(header *string) (func(version int64) bool, error) {
	if header == nil {
		return nil, nil
	}
	tags, any := etag.Parse(*header)
	strong := slices.ContainsFunc(tags, func(tag etag.Tag) bool { return !tag.Weak })
	if !any && !strong {
		return nil, fault.Invalid("If-Match",
			`must be the ETag, which is the version in quotation marks without W/, such as "3"`)
	}
	return func(version int64) bool {
		return any || slices.Contains(tags, etag.Tag{Value: strconv.FormatInt(version, 10)})
	}, nil
}

func draft(in *server.CardInput) cards.Draft {
	d := cards.Draft{Patch: patchOf(inputFields, in), Identify: in.Identify}
	if in.Metadata != nil {
		values := make(map[string]*string, len(*in.Metadata))
		for key, value := range *in.Metadata {
			values[key] = &value
		}
		d.Metadata = cards.Set(values)
	}
	if in.Copies != nil {
		d.Copies = int(*in.Copies)
	}
	if in.Photos != nil {
		for _, p := range *in.Photos {
			d.Photos = append(d.Photos, cards.NewPhoto{URL: p.URL, Role: cards.Role(p.Role)})
		}
	}
	return d
}

// hints converts hints, or returns nil if there are none.
func hints(in *server.Hints) *catalog.Hints {
	if in == nil {
		return nil
	}
	var out catalog.Hints
	if in.Game != nil {
		out.Game = string(*in.Game)
	}
	if in.Set != nil {
		out.Set = *in.Set
	}
	if in.Language != nil {
		out.Language = *in.Language
	}
	return &out
}

// scan converts the fields and the files of a form.
func scan(in *server.ScanInput, f *form.Form) photos.Scan {
	var result photos.Scan
	d := &result.Card
	d.BatchID, d.Location = given(in.BatchID), given(in.Location)
	d.Game, d.Condition = given(text(in.Game)), given(text(in.Condition))
	if in.Pairing != nil {
		result.Pairing = photos.Pairing(*in.Pairing)
	}
	result.Many = in.Cards != nil && *in.Cards == server.Many
	for _, file := range f.Files {
		result.Photos = append(result.Photos, photos.ScanPhoto{Name: file.Name, Content: file})
	}
	return result
}

// given returns a field that is set to the value, or that is not set if v is nil.
func given[T any](v *T) cards.Field[T] {
	if v == nil {
		return cards.Field[T]{}
	}
	return cards.Set(*v)
}

func amount(m *server.Money) *money.Money {
	if m == nil {
		return nil
	}
	result := moneyOf(*m)
	return &result
}
