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
)

// binary is the path of the built program.
var binary string

// sideBySide is how many tests run at once unless -parallel says otherwise: most of their time they
// wait for processes, not for a processor.
const sideBySide = "6"

// TestMain builds the program once for all tests.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", sideBySide); err != nil {
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

// record is the log of a process. It is safe for concurrent use.
type record struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

// String returns what was logged so far.
func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// server is a running command that ends when it is asked to: `cardvault serve` or `cardvault worker` mostly.
type server struct {
	t         testing.TB
	process   *os.Process
	log       *record
	ended     chan struct{} // closed when the process is gone
	code      int           // then: its exit code, -1 for a signal
	peak      int           // and the most memory that it held, in KiB
	host      string        // of the API, if it serves one: 127.0.0.1:43210
	adminHost string
	foreign   bool // another company's, as far as the service is concerned: its errors are its own
}

var (
	serving = regexp.MustCompile(`msg=serving address=(\S+) admin=(\S+)`)
	working = regexp.MustCompile(`msg=working admin=(\S+)`)
	trading = regexp.MustCompile(`msg="the stand-in marketplace is open" address=(\S+)`)
)

// start starts a command. Its process is gone when the test ends, and must have found nothing
// unexpected by then.
func (s settings) start(t testing.TB, args ...string) *server {
	t.Helper()
	command := s.command(args...)
	p := &server{t: t, log: &record{}, ended: make(chan struct{})}
	command.Stderr = p.log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	p.process = command.Process
	go func() {
		_ = command.Wait() // the exit code says it
		p.code = command.ProcessState.ExitCode()
		if usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage); ok {
			p.peak = int(usage.Maxrss)
		}
		close(p.ended)
	}()
	t.Cleanup(p.finish)
	return p
}

// serve starts a server and returns when it takes requests.
func (s settings) serve(t testing.TB, args ...string) *server {
	t.Helper()
	p := s.start(t, append([]string{"serve"}, args...)...)
	found := p.announces(serving)
	p.host, p.adminHost = found[1], found[2]
	return p
}

// work starts the workers in a process of their own and returns when they work.
func (s settings) work(t testing.TB) *server {
	t.Helper()
	p := s.start(t, "worker")
	p.adminHost = p.announces(working)[1]
	return p
}

// announces waits until the log says where the process is to be found.
func (p *server) announces(where *regexp.Regexp) (found []string) {
	p.t.Helper()
	if found = p.awaits(where); found == nil {
		p.t.Fatalf("the process ended with code %d:\n%s", p.code, p.log)
	}
	return found
}

// awaits is announces for a process that may end before; it then returns nil.
func (p *server) awaits(where *regexp.Regexp) (found []string) {
	p.t.Helper()
	eventually(p.t, fmt.Sprintf("the process logs %q", where), func() bool {
		ended := p.gone() // before the log is read, so that its end is
		found = where.FindStringSubmatch(p.log.String())
		return found != nil || ended
	})
	return found
}

// finish ends the server and looks through its log.
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

// kill ends the process as a power cut does, and waits until it is gone.
func (p *server) kill() {
	p.signal(syscall.SIGKILL)
	<-p.ended
}

func (p *server) signal(s os.Signal) {
	if err := p.process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Error(err)
	}
}

// end waits for the process to end by itself and returns its exit code.
func (p *server) end(within time.Duration) int {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(within):
		p.t.Fatalf("the server still runs after %v", within)
	}
	return p.code
}

// logged waits until the log holds the text.
func (p *server) logged(text string) {
	p.t.Helper()
	eventually(p.t, fmt.Sprintf("the server logs %q", text), func() bool { return strings.Contains(p.log.String(), text) })
}

// patience is how long tests wait for what must happen: long, for machines under load.
const patience = time.Minute

// eventually waits until done, for what gives no other signal than its result.
func eventually(t testing.TB, what string, done func() bool) {
	t.Helper()
	eventuallyWithin(t, patience, what, done)
}

// eventuallyWithin is eventually for what may take longer.
func eventuallyWithin(t testing.TB, patience time.Duration, what string, done func() bool) {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for !done() {
		select {
		case <-deadline.C:
			t.Fatalf("%s: not after %v", what, patience)
		case <-look.C:
		}
	}
}
