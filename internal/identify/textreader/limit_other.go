//go:build !unix

package textreader

// LowerPriority does nothing.
func LowerPriority() error { return nil }

// LimitMemory does nothing.
func LimitMemory(uint64) error { return nil }
