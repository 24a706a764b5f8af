package queue

import "time"

// SetCallTimeout sets the time limit of database calls, for tests on a slow machine. Call it before Loop.
func (r *Runner) SetCallTimeout(d time.Duration) { r.callTimeout = d }
