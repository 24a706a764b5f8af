package ratelimit

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxLimit is the largest limit that can be set: more than one process can answer in a minute,
// and far from the ends of the integers it is stored in.
const MaxLimit = 1_000_000_000

// Limits are requests per Window by class. A class that is 0 is not set: ParseLimits gives it to
// those the text leaves out, and Or fills it in.
type Limits struct {
	Read, Write, AI int
}

// Defaults are the limits that openapi/v1.yaml promises to tokens without limits of their own.
var Defaults = Limits{Read: 60, Write: 20, AI: 5}

// ParseLimits reads "read=60,write=20,ai=5". Classes may be left out, in any order; each limit is
// 1 to MaxLimit. There is no word for unlimited: a token that may do more gets a large number.
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

// String returns the text that ParseLimits reads; classes that are not set are left out.
func (l Limits) String() string {
	var parts []string
	for _, class := range []Class{Read, Write, AI} {
		if n := l.Of(class); n != 0 {
			parts = append(parts, string(class)+"="+strconv.Itoa(n))
		}
	}
	return strings.Join(parts, ",")
}

// Of returns the limit of a class; 0 if it is not set.
func (l Limits) Of(class Class) int {
	if field := l.field(class); field != nil {
		return *field
	}
	return 0
}

// Or returns l with the classes that are not set taken from defaults.
func (l Limits) Or(defaults Limits) Limits {
	for _, class := range []Class{Read, Write, AI} {
		if field := l.field(class); *field == 0 {
			*field = defaults.Of(class)
		}
	}
	return l
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
