package processtest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/e2e/program"
	"github.com/cardvault/cardvault/internal/polltest"
)

// binary is the path of the built program.
var binary string

// parallelTests is the default of -parallel. It may exceed the number of processors, because the tests mostly wait.
const parallelTests = "6"

// TestMain builds the program once for all tests.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", parallelTests); err != nil {
		panic(err)
	}
	flag.Parse()
	dir, err := os.MkdirTemp("", "cardvault-")
	if err != nil {
		panic(err)
	}
	code := 1
	if binary, err = program.Build(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// logBuffer keeps the log of a process. It is safe for concurrent use.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// String returns what was logged so far.
func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// server is a running command, mostly `cardvault serve` or `cardvault worker`.
type server struct {
	t         testing.TB
	process   *os.Process
	log       *logBuffer
	ended     chan struct{} // closed when the process has ended
	code      int           // once ended is closed: the exit code, -1 for a signal
	host      string        // host and port of the API, if it serves one
	adminHost string
	foreign   bool // not a part of the service: it may log errors
}

var (
	serving = regexp.MustCompile(`msg=serving address=(\S+) admin=(\S+)`)
	working = regexp.MustCompile(`msg=working admin=(\S+)`)
	trading = regexp.MustCompile(`msg="serving the sandbox marketplace" address=(\S+)`)
)

// start starts a command. The end of the test kills its process and checks its log, see finish.
func (s settings) start(t testing.TB, args ...string) *server {
	t.Helper()
	command := s.command(args...)
	p := &server{t: t, log: &logBuffer{}, ended: make(chan struct{})}
	command.Stderr = p.log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	p.process = command.Process
	go func() {
		_ = command.Wait() // the exit code is checked instead
		p.code = command.ProcessState.ExitCode()
		close(p.ended)
	}()
	t.Cleanup(p.finish)
	return p
}

// serve starts a server and waits until it accepts requests.
func (s settings) serve(t testing.TB, args ...string) *server {
	t.Helper()
	p := s.start(t, append([]string{"serve"}, args...)...)
	found := p.announces(serving)
	p.host, p.adminHost = found[1], found[2]
	return p
}

// work starts a worker process and waits until it works.
func (s settings) work(t testing.TB) *server {
	t.Helper()
	p := s.start(t, "worker")
	p.adminHost = p.announces(working)[1]
	return p
}

// announces waits until the log matches where, which finds addresses. It fails the test if the process ends before.
func (p *server) announces(where *regexp.Regexp) (found []string) {
	p.t.Helper()
	if found = p.awaits(where); found == nil {
		p.t.Fatalf("the process ended with code %d:\n%s", p.code, p.log)
	}
	return found
}

// awaits is like announces, but returns nil if the process ends before.
func (p *server) awaits(where *regexp.Regexp) (found []string) {
	p.t.Helper()
	eventually(p.t, fmt.Sprintf("the process logs %q", where), func() bool {
		ended := p.gone() // called first, so that the log is complete if the process has ended
		found = where.FindStringSubmatch(p.log.String())
		return found != nil || ended
	})
	return found
}

// finish kills the server and checks that its log has no errors.
func (p *server) finish() {
	p.kill()
	text := p.log.String()
	for _, bad := range []string{"DATA RACE", "panic", "level=ERROR"} {
		if i := strings.Index(text, bad); i >= 0 && !(p.foreign && bad == "level=ERROR") {
			p.t.Errorf("the server logged %q:\n%s", bad, text[i:min(len(text), i+4000)])
		}
	}
	if p.t.Failed() {
		p.t.Logf("the end of the server's log:\n%s", text[max(0, len(text)-2000):])
	}
}

// gone reports whether the process has ended.
func (p *server) gone() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// kill kills the process and waits until it has ended.
func (p *server) kill() {
	p.signal(syscall.SIGKILL)
	<-p.ended
}

func (p *server) signal(s os.Signal) {
	if err := p.process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Error(err)
	}
}

// end waits until the process ends by itself and returns its exit code.
func (p *server) end(within time.Duration) int {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(within):
		p.t.Fatalf("the server still runs after %v", within)
	}
	return p.code
}

// logged waits until the log contains the text.
func (p *server) logged(text string) {
	p.t.Helper()
	eventually(p.t, fmt.Sprintf("the server logs %q", text), func() bool {
		return strings.Contains(p.log.String(), text)
	})
}

// patience is the default timeout of eventually. A quiet machine needs up to half a minute, for deliveries whose lease
// must expire; a machine under load may need ten times as long.
const patience = 5 * time.Minute

// requestTimeout is how long clients wait for a response. A server that is frozen gives none.
const requestTimeout = time.Minute

// eventually polls until done returns true. what describes the condition in the failure message.
func eventually(t testing.TB, what string, done func() bool) {
	t.Helper()
	eventuallyWithin(t, patience, what, done)
}

// eventuallyWithin is eventually with another timeout.
func eventuallyWithin(t testing.TB, patience time.Duration, what string, done func() bool) {
	t.Helper()
	polltest.Until(t, patience, what, done)
}
