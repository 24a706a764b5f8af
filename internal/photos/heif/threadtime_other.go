//go:build !linux

package heif

import "time"

var begin = time.Now()

// threadTime returns the time that has passed, which is at least the processor time of the thread.
func threadTime() time.Duration { return time.Since(begin) }
