package processtest

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"
)

// seed repeats the random choices of a failed test. The timing still depends on the machine.
var seed = flag.Uint64("seed", 0, "seed of the random choices, as a failed test logged it; 0 takes one from the clock")

// randomness returns a source of random choices and logs the command line that repeats them.
func randomness(t testing.TB) *rand.Rand {
	chosen := *seed
	if chosen == 0 {
		chosen = uint64(time.Now().UnixNano())
	}
	t.Logf("-run '^%s$' -seed %d", t.Name(), chosen)
	return rand.New(rand.NewPCG(chosen, 0))
}

// moment sleeps for a random time, so that what follows can meet the program at any point of its work.
func moment(random *rand.Rand, atMost time.Duration) {
	time.Sleep(time.Duration(random.Int64N(int64(atMost))))
}
