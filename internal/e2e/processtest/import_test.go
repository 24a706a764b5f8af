package processtest

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// importRows is the number of rows of a file that takes a few chunks.
const importRows = 2300

// An import that is killed before it is accepted changes nothing, and no worker continues it.
func TestCardsImport_KilledBeforeAcceptance(t *testing.T) {
	t.Parallel()
	e := newImport(t, importRows, 0)
	clock := e.lockClock()
	command := e.begin()
	e.awaitStaged(clock)
	command.kill()
	clock.release()
	worker := e.settings.serve(t)
	// The account's writes are in order: an accepted import would come before this one.
	e.at(worker).do("POST", "/cards", `{"cards":[{}]}`, 201, nil)
	if n := e.count(`SELECT count(*) FROM card_imports`); n != 0 {
		t.Errorf("%d imports are accepted, want none", n)
	}
	if n := e.count(`SELECT count(*) FROM cards`); n != 1 {
		t.Errorf("%d cards, want only the one that the API created", n)
	}
}

// A worker finishes an import that is killed after its acceptance, before the first chunk or between chunks.
func TestCardsImport_KilledAfterAcceptance(t *testing.T) {
	t.Parallel()
	for _, at := range []int{0, 500, 2000} {
		t.Run(fmt.Sprintf("at card %d", at), func(t *testing.T) {
			t.Parallel()
			e := newImport(t, importRows, 0)
			clock := e.lockClock()
			command := e.begin()
			e.awaitStaged(clock)
			chunk := e.lockChunk(at)
			clock.release()
			e.awaitChunk(chunk, at)
			command.kill()
			chunk.release()
			e.finishByWorker()
		})
	}
}

// A command that is interrupted after the acceptance reports, by its exit code and a message, that workers continue the
// import.
func TestCardsImport_InterruptedAfterAcceptance(t *testing.T) {
	t.Parallel()
	e := newImport(t, importRows, 0)
	clock := e.lockClock()
	command := e.begin()
	e.awaitStaged(clock)
	chunk := e.lockChunk(1000)
	clock.release()
	created := e.awaitChunk(chunk, 1000)
	command.signal(syscall.SIGINT)
	code := command.end(patience)
	chunk.release()
	want := fmt.Sprintf("the file was accepted and %d of its %d cards were written; "+
		"cardvault serve or cardvault worker writes the others, so do not import it again", created, importRows)
	if text := command.log.String(); code != 3 || !strings.Contains(text, want) {
		t.Errorf("exit code %d: %s", code, text)
	}
	e.finishByWorker()
}

// A large import needs little memory, in its process and in PostgreSQL, and its transactions are small, so that other
// writes of the account do not wait long.
func TestCardsImport_BoundedMemory(t *testing.T) {
	t.Parallel()
	const limit = 200 << 10 // KiB
	e := newImport(t, 15_000, 4000)
	writer := e.at(e.settings.serve(t))
	own := writer.create(1)[0]
	command := e.begin()
	// The peak that the kernel reports at the end of a process includes the memory of the test, which started it.
	var peak int64
	backend, patches, longest := 0, 0, time.Duration(0)
	for !command.gone() {
		begun := time.Now()
		patches++
		writer.do("PATCH", "/cards/"+own.ID, price(int64(patches)), 200, nil)
		longest = max(longest, time.Since(begun))
		backend = max(backend, e.backendMemory())
		if now, err := measure.Process(command.process.Pid).Memory("VmHWM"); err == nil { // else it has ended
			peak = max(peak, now>>10)
		}
	}
	if command.code != 0 {
		t.Fatalf("exit code %d: %s", command.code, command.log)
	}
	if backend == 0 || backend > limit {
		t.Errorf("a backend held %d KiB, want at most %d", backend, limit)
	}
	if peak == 0 || peak > limit {
		t.Errorf("the process held %d KiB, want at most %d", peak, limit)
	}
	largest := e.count(`
		SELECT max(n)
		FROM (SELECT count(*) AS n FROM cards WHERE title LIKE 'Card %' GROUP BY xmin::text) transactions`)
	if largest > 500 {
		t.Errorf("a transaction created %d cards, want at most 500", largest)
	}
	t.Logf("the process held %d KiB, a backend %d KiB; of %d other writes the longest took %v",
		peak, backend, patches, longest)
}
