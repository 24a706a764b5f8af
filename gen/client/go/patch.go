package cardvault

import "encoding/json"

// Patch is a field of a patch. Its zero value leaves the field unchanged, [Set] sets it to a value, and [Clear] sets it
// to null.
type Patch[T any] struct {
	present bool
	value   *T
}

// Set returns a Patch that sets a field to a value.
func Set[T any](value T) Patch[T] { return Patch[T]{present: true, value: &value} }

// Clear returns a Patch that sets a field to null.
func Clear[T any]() Patch[T] { return Patch[T]{present: true} }

// IsZero reports whether the field stays unchanged. Such fields are not sent.
func (p Patch[T]) IsZero() bool { return !p.present }

// MarshalJSON returns the value, or null, as JSON.
func (p Patch[T]) MarshalJSON() ([]byte, error) { return json.Marshal(p.value) }
