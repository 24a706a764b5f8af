// Package etag is how handlers name the version of what they answer, and how the versions that a
// client has are read. It never decides what an answer's status is.
package etag

import (
	"context"
	"strings"
)

// Slot is where a handler leaves the tag of its answer for the edge.
type Slot struct {
	tag string
	// Fleeting says that the answer holds what changes without its version, so that a client which has
	// the version may yet need the answer.
	Fleeting bool
}

// Header returns the value of the ETag header, or "" if no tag was set.
func (s *Slot) Header() string {
	if s.tag == "" {
		return ""
	}
	return `"` + s.tag + `"`
}

type key struct{}

// With returns a context that leads Set to s.
func With(ctx context.Context, s *Slot) context.Context { return context.WithValue(ctx, key{}, s) }

// Set names the version of what is answered: "3" becomes ETag: "3". Outside a request it does nothing.
func Set(ctx context.Context, tag string) {
	if s, ok := ctx.Value(key{}).(*Slot); ok {
		s.tag = tag
	}
}

// SetFleeting is Set for an answer that holds what changes without its version, such as addresses that expire.
func SetFleeting(ctx context.Context, tag string) {
	Set(ctx, tag)
	if s, ok := ctx.Value(key{}).(*Slot); ok {
		s.Fleeting = true
	}
}

// Tag is one of the versions that an If-Match or If-None-Match header names.
type Tag struct {
	Value string // without its quotation marks
	Weak  bool   // W/"…": equal in meaning, not byte for byte
}

// Parse reads the value of an If-Match or If-None-Match header (RFC 9110, section 8.8.3); any is
// true for "*". What is not a tag is left out, so a header of nothing else matches nothing.
func Parse(header string) (tags []Tag, any bool) {
	for rest := header; rest != ""; {
		rest = strings.TrimLeft(rest, " \t,")
		if strings.TrimRight(rest, " \t") == "*" {
			return nil, true
		}
		opaque, weak := strings.CutPrefix(rest, "W/")
		value, after, ok := quoted(opaque)
		if ok {
			tags = append(tags, Tag{Value: value, Weak: weak})
			rest = after
			continue
		}
		_, rest, _ = strings.Cut(rest, ",")
	}
	return tags, false
}

// quoted cuts "value" off the front of s.
func quoted(s string) (value, after string, ok bool) {
	if s, ok = strings.CutPrefix(s, `"`); !ok {
		return "", "", false
	}
	return strings.Cut(s, `"`)
}

// NoneMatch reports whether an If-None-Match header names the answer with this ETag header: weak
// comparison, as RFC 9110, section 13.1.2 asks.
func NoneMatch(header, current string) bool {
	if header == "" || current == "" {
		return false
	}
	tags, any := Parse(header)
	if any {
		return true
	}
	current = strings.Trim(strings.TrimPrefix(current, "W/"), `"`)
	for _, tag := range tags {
		if tag.Value == current {
			return true
		}
	}
	return false
}
