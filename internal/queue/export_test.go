package queue

import "time"

// SetCallTimeout lets a test have calls take as long as a slow machine needs. Call it before Loop.
func (r *Runner) SetCallTimeout(d time.Duration) { r.callTimeout = d }
