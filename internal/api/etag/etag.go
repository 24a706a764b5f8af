// Package etag parses and compares the entity tags of conditional requests (RFC 9110, section 13). It does not decide
// which status a response has.
package etag

import "strings"

// Tag is an entity tag in an If-Match or If-None-Match header.
type Tag struct {
	Value string // without its quotation marks
	Weak  bool   // W/"…": equivalent, but not the same byte for byte
}

// Parse parses the value of an If-Match or If-None-Match header (RFC 9110, section 8.8.3); any is true for "*".
// Elements that are not tags are ignored, so a header without tags matches nothing.
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

// quoted returns the quoted string at the beginning of s, and the rest of s.
func quoted(s string) (value, after string, ok bool) {
	if s, ok = strings.CutPrefix(s, `"`); !ok {
		return "", "", false
	}
	return strings.Cut(s, `"`)
}

// NoneMatch reports whether an If-None-Match header contains the current ETag, by weak comparison (RFC 9110, section
// 13.1.2).
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
