package processtest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// program is the path of the built binary.
var program string

// TestMain builds the program once for all tests.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "cardvault-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "cardvault")
	build := exec.Command("go", slices.Concat([]string{"build", "-buildvcs=false"}, raceFlags, []string{"-o", program, "github.com/cardvault/cardvault/cmd/cardvault"})...)
	build.Stderr = os.Stderr
	code := 1
	if err := build.Run(); err == nil {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// settings are the variables a process is started with.
type settings map[string]string

// newSettings are those of a development server on any free ports.
func newSettings(t testing.TB, databaseURL string) settings {
	t.Helper()
	return settings{
		"CARDVAULT_DATABASE_URL": databaseURL,
		"CARDVAULT_ADDR":         "127.0.0.1:0", "CARDVAULT_ADMIN_ADDR": "127.0.0.1:0",
		"CARDVAULT_SECRET_KEY":             base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)),
		"CARDVAULT_ALLOW_PRIVATE_NETWORKS": "true",
		"CARDVAULT_PHOTO_STORE":            t.TempDir(),
	}
}

// with returns the settings and others, given as name, value, name, value…
func (s settings) with(pairs ...string) settings {
	s = maps.Clone(s)
	for pair := range slices.Chunk(pairs, 2) {
		s[pair[0]] = pair[1]
	}
	return s
}

// command prepares the program with these settings and none of the developer's own.
func (s settings) command(args ...string) *exec.Cmd {
	command := exec.Command(program, args...)
	command.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "CARDVAULT_") || strings.HasPrefix(v, "PG")
	})
	for name, value := range s {
		command.Env = append(command.Env, name+"="+value)
	}
	return command
}

// outcome is how a command that ended went.
type outcome struct {
	code           int
	stdout, stderr string
}

// run runs a command of the program to its end.
func (s settings) run(t testing.TB, args ...string) outcome {
	t.Helper()
	command := s.command(args...)
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := command.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return outcome{command.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// read runs a command that must succeed and decodes the one JSON object that it prints.
func (s settings) read(t testing.TB, dest any, args ...string) {
	t.Helper()
	got := s.run(t, append(args, "--json")...)
	if got.code != 0 {
		t.Fatalf("cardvault %s: exit code %d: %s", strings.Join(args, " "), got.code, got.stderr)
	}
	if err := json.Unmarshal([]byte(got.stdout), dest); err != nil {
		t.Fatalf("cardvault %s: %v: %s", strings.Join(args, " "), err, got.stdout)
	}
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

// server is a running `cardvault serve`.
type server struct {
	t         testing.TB
	process   *os.Process
	log       *record
	ended     chan struct{} // closed when the process is gone
	code      int           // then: its exit code, -1 for a signal
	host      string        // of the API: 127.0.0.1:43210
	adminHost string
}

var serving = regexp.MustCompile(`msg=serving address=(\S+) admin=(\S+)`)

// serve starts a server and returns when it takes requests. It is gone when the test ends, and must
// have found nothing unexpected by then.
func (s settings) serve(t testing.TB, args ...string) *server {
	t.Helper()
	command := s.command(append([]string{"serve"}, args...)...)
	p := &server{t: t, log: &record{}, ended: make(chan struct{})}
	command.Stderr = p.log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	p.process = command.Process
	go func() {
		_ = command.Wait() // the exit code says it
		p.code = command.ProcessState.ExitCode()
		close(p.ended)
	}()
	t.Cleanup(p.finish)
	eventually(t, "the server serves", func() bool {
		found := serving.FindStringSubmatch(p.log.String())
		if found == nil {
			if p.gone() {
				t.Fatalf("the server ended with code %d:\n%s", p.code, p.log)
			}
			return false
		}
		p.host, p.adminHost = found[1], found[2]
		return true
	})
	return p
}

// finish ends the server and looks through its log.
func (p *server) finish() {
	p.kill()
	text := p.log.String()
	for _, bad := range []string{"DATA RACE", "panic", "level=ERROR"} {
		if i := strings.Index(text, bad); i >= 0 {
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
