package cardvault

import "encoding/json"

// Patch is a field of a patch. Its zero value leaves the field as it is; [Set] gives it a value, [Clear] takes the value
// away.
type Patch[T any] struct {
	present bool
	value   *T
}

// Set gives a field a value.
func Set[T any](value T) Patch[T] { return Patch[T]{present: true, value: &value} }

// Clear takes a field's value away: it is null afterwards.
func Clear[T any]() Patch[T] { return Patch[T]{present: true} }

// IsZero says whether the field stays as it is; such fields are not sent.
func (p Patch[T]) IsZero() bool { return !p.present }

// MarshalJSON writes the value, or null.
func (p Patch[T]) MarshalJSON() ([]byte, error) { return json.Marshal(p.value) }
