package main

import (
	"os"
	"runtime/debug"
)

const (
	// gcPercent is the growth of the heap between two garbage collections. Requests and deliveries leave little live
	// memory, so at Go's default of 100 the collector runs dozens of times a second under load.
	gcPercent = 500
	// gcMemoryLimit makes the collector run more often before the process reaches this size, in bytes. The photo of an
	// identification takes up to 100 MB, which gcPercent alone would let grow to 900 MB.
	gcMemoryLimit = 256 << 20
)

// tuneGC configures the garbage collector of a server or worker. GOGC and GOMEMLIMIT take precedence.
func tuneGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(gcMemoryLimit)
	}
}
