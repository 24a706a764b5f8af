package processtest

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// importRows is a few chunks.
const importRows = 2300

// An import that is killed before its acceptance has changed nothing, and no worker continues it.
func TestCardsImport_KilledBeforeAcceptance(t *testing.T) {
	t.Parallel()
	e := newImport(t, importRows, 0)
	release := e.holdClock()
	command := e.begin()
	e.untilStaged()
	command.kill()
	release()
	worker := e.settings.serve(t)
	e.at(worker).do("POST", "/cards", `{"cards":[{}]}`, 201, nil) // once an import before it would have had its turn
	if n := e.count(`SELECT count(*) FROM card_imports`); n != 0 {
		t.Errorf("%d imports are accepted", n)
	}
	if n := e.count(`SELECT count(*) FROM cards`); n != 1 {
		t.Errorf("%d cards, want the one by the API", n)
	}
}

// Killed right after the acceptance or amid the chunks, an import is finished by a worker.
func TestCardsImport_KilledAfterAcceptance(t *testing.T) {
	t.Parallel()
	for _, at := range []int{0, 500, 2000} {
		t.Run(fmt.Sprintf("at card %d", at), func(t *testing.T) {
			t.Parallel()
			e := newImport(t, importRows, 0)
			release := e.holdClock()
			command := e.begin()
			e.untilStaged()
			unlock := e.lock(`SELECT FROM card_import_chunks WHERE place = $1 FOR UPDATE`, at)
			release()
			e.untilAt(at)
			command.kill()
			unlock()
			e.finished()
		})
	}
}

// Interrupted after the acceptance, the command says by its exit code and its words that the workers go on.
func TestCardsImport_InterruptedAfterAcceptance(t *testing.T) {
	t.Parallel()
	e := newImport(t, importRows, 0)
	release := e.holdClock()
	command := e.begin()
	e.untilStaged()
	unlock := e.lock(`SELECT FROM card_import_chunks WHERE place = 1000 FOR UPDATE`)
	release()
	made := e.untilAt(1000)
	command.signal(syscall.SIGINT)
	code := command.end(patience)
	unlock()
	want := fmt.Sprintf("the file was accepted and %d of its %d cards are made; "+
		"cardvault serve or cardvault worker makes the others, so do not import it again", made, importRows)
	if text := command.log.String(); code != 3 || !strings.Contains(text, want) {
		t.Errorf("exit code %d: %s", code, text)
	}
	e.finished()
}

// A large import needs little memory, in its process and in PostgreSQL, and leaves the account's other writers room:
// its transactions are small, whatever the size of the file.
func TestCardsImport_IsBounded(t *testing.T) {
	t.Parallel()
	const limit = 200 << 10 // KiB
	e := newImport(t, 15_000, 4000)
	writer := e.at(e.settings.serve(t))
	own := writer.create(1)[0]
	command := e.begin()
	backend, patches, longest := 0, 0, time.Duration(0)
	for !command.gone() {
		begun := time.Now()
		patches++
		writer.do("PATCH", "/cards/"+own.ID, price(int64(patches)), 200, nil)
		longest = max(longest, time.Since(begun))
		backend = max(backend, e.backendMemory())
	}
	if command.code != 0 {
		t.Fatalf("exit code %d: %s", command.code, command.log)
	}
	if backend == 0 || backend > limit {
		t.Errorf("a backend held %d KiB, want at most %d", backend, limit)
	}
	if command.peak > limit*memoryFactor() {
		t.Errorf("the process held %d KiB, want at most %d", command.peak, limit*memoryFactor())
	}
	largest := e.count(`
		SELECT max(n) FROM (SELECT count(*) AS n FROM cards WHERE title LIKE 'Card %' GROUP BY xmin::text) transactions`)
	if largest > 500 {
		t.Errorf("a transaction made %d cards, while other writers waited; want at most 500", largest)
	}
	t.Logf("the process held %d KiB, a backend %d KiB; of %d other writes the longest took %v",
		command.peak, backend, patches, longest)
}
