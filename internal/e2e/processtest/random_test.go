package processtest

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"
)

// seed makes the random choices of a failed test again; its moments depend on the machine too.
var seed = flag.Uint64("seed", 0, "what random choices are drawn from, as a test that failed printed it; 0 is by the clock")

// randomness returns the test's source of random choices, and has the test tell its seed.
func randomness(t testing.TB) *rand.Rand {
	chosen := *seed
	if chosen == 0 {
		chosen = uint64(time.Now().UnixNano())
	}
	t.Logf("-run '^%s$' -seed %d", t.Name(), chosen)
	return rand.New(rand.NewPCG(chosen, 0))
}

// moment lets a random time pass: what comes next is to find the program anywhere in its work.
func moment(random *rand.Rand, atMost time.Duration) {
	time.Sleep(time.Duration(random.Int64N(int64(atMost))))
}
