package ratelimit

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxLimit is the largest limit. It is more than a process can handle in a minute, and far below the maximum of the
// integers that store it.
const MaxLimit = 1_000_000_000

// Limits are the requests per Window for each class. A class that is 0 is not set: ParseLimits leaves classes at 0 that
// the text does not contain, and Or replaces them.
type Limits struct {
	Read, Write, AI int
}

// Defaults are the limits of tokens without limits of their own, as documented in openapi/v1.yaml.
var Defaults = Limits{Read: 60, Write: 20, AI: 5}

// ParseLimits parses limits such as "read=60,write=20,ai=5". Classes may be in any order or left out; each limit is 1
// to MaxLimit. There is no value for unlimited: use a large number.
func ParseLimits(text string) (Limits, error) {
	var l Limits
	if strings.TrimSpace(text) == "" {
		return l, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		field := l.field(Class(strings.TrimSpace(name)))
		switch {
		case field == nil:
			return Limits{}, fmt.Errorf("rate limits %q: write read=N,write=N,ai=N; there is no class %q", text, name)
		case *field != 0:
			return Limits{}, fmt.Errorf("rate limits %q: %s is given twice", text, name)
		}
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 1 || n > MaxLimit {
			return Limits{}, fmt.Errorf("rate limits %q: %s must be a number from 1 to %d", text, name, MaxLimit)
		}
		*field = n
	}
	return l, nil
}

// String returns the limits in the format of ParseLimits, without classes that are not set.
func (l Limits) String() string {
	var parts []string
	for _, class := range []Class{Read, Write, AI} {
		if n := l.Of(class); n != 0 {
			parts = append(parts, string(class)+"="+strconv.Itoa(n))
		}
	}
	return strings.Join(parts, ",")
}

// Of returns the limit of a class, or 0 if it is not set.
func (l Limits) Of(class Class) int {
	if field := l.field(class); field != nil {
		return *field
	}
	return 0
}

// Or returns l. Classes that are not set get the limit in defaults.
func (l Limits) Or(defaults Limits) Limits {
	for _, class := range []Class{Read, Write, AI} {
		if field := l.field(class); *field == 0 {
			*field = defaults.Of(class)
		}
	}
	return l
}

// Max returns the larger limit for each class.
func (l Limits) Max(other Limits) Limits {
	return Limits{Read: max(l.Read, other.Read), Write: max(l.Write, other.Write), AI: max(l.AI, other.AI)}
}

func (l *Limits) field(class Class) *int {
	switch class {
	case Read:
		return &l.Read
	case Write:
		return &l.Write
	case AI:
		return &l.AI
	}
	return nil
}
