//go:build !unix

package textreader

// LimitMemory does nothing.
func LimitMemory(uint64) error { return nil }

// lowerPriority does nothing.
func lowerPriority() error { return nil }
