package main

import (
	"os"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
)

// init makes the process one on a machine whose clock is wrong by CARDVAULT_TEST_CLOCK_OFFSET. The process tests build
// the program with this file; no other build has it.
func init() {
	if offset, err := time.ParseDuration(os.Getenv("CARDVAULT_TEST_CLOCK_OFFSET")); err == nil {
		clock.System.Now = func() time.Time { return time.Now().Add(offset) }
	}
}
