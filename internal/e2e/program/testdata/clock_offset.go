package main

import (
	"os"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
)

// init makes the clock of the process wrong by CARDVAULT_TEST_CLOCK_OFFSET. Only package internal/e2e/program builds
// cardvault with this file.
func init() {
	if offset, err := time.ParseDuration(os.Getenv("CARDVAULT_TEST_CLOCK_OFFSET")); err == nil {
		clock.System.Now = func() time.Time { return time.Now().Add(offset) }
	}
}
