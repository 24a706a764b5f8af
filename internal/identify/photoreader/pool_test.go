package photoreader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// behaviour is the variable that makes the test program a child. Its value is what the child does.
const behaviour = "CARDVAULT_TEST_CHILD"

func TestMain(m *testing.M) {
	if does := os.Getenv(behaviour); does != "" {
		if err := Serve(os.Stdin, os.Stdout, func() (Engine, error) { return scripted(does).start() }); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// scripted is an engine that behaves as a native library may: KIND, or KIND:FILE for what happens only if the file can
// be created, which is once.
type scripted string

func (s scripted) start() (Engine, error) {
	switch s {
	case "no library":
		return nil, errors.New("the library is not there")
	case "hangs at start":
		select {}
	}
	return s, nil
}

// Read returns a line with the text of the first one, the process and a pixel of the picture.
func (s scripted) Read(picture *image.RGBA, lines []ppocr.Line) ([]ppocr.Line, error) {
	return []ppocr.Line{{Text: fmt.Sprintf("%s %d %d", lines[0].Text, picture.Pix[0], os.Getpid())}}, nil
}

func (s scripted) Find(picture *image.RGBA) ([]ppocr.Line, error) {
	kind, file, once := strings.Cut(string(s), ":")
	if once {
		if f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL, 0o600); err != nil {
			kind = "reads"
		} else {
			f.Close()
		}
	}
	switch kind {
	case "grows":
		clear(make([]byte, 2<<30))
	case "dies":
		os.Exit(139)
	case "hangs":
		select {}
	case "talks":
		fmt.Print("warning: this is no frame")
		os.Exit(0)
	case "refuses":
		return nil, errors.New("the picture is odd")
	}
	text := fmt.Sprintf("%v %d %d %s", picture.Rect.Max, picture.Pix[0], os.Getpid(), os.Getenv("CARDVAULT_SECRET_KEY"))
	return []ppocr.Line{{Text: text, Confidence: 0.5, Box: image.Rect(1, 2, 3, 4)}}, nil
}

func pool(t *testing.T, does string, config Config) *Pool {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config.Command, config.Env = []string{program}, []string{behaviour + "=" + does}
	p := New(config)
	t.Cleanup(p.Close)
	return p
}

// photo returns an encoded photo of 30 × 20 pixels. The first one has the red value.
func photo(t *testing.T, red uint8) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 30, 20))
	for i := range picture.Pix {
		picture.Pix[i] = 255
	}
	picture.Pix[0] = red
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// whole returns the area of a photo.
func whole(t *testing.T) vision.Area { return vision.Area{Photo: photo(t, 7)} }

// pid returns the part of a text that names the process.
func pid(lines []ppocr.Line) string { return strings.Fields(lines[0].Text)[2] }

func TestPool_Reads(t *testing.T) {
	t.Setenv("CARDVAULT_SECRET_KEY", "secret") // which a child must not get
	p := pool(t, "reads", Config{})
	first, err := p.Find(t.Context(), whole(t))
	if err != nil {
		t.Fatal(err)
	}
	want := []ppocr.Line{{Text: "(30,20) 7 " + pid(first) + " ", Confidence: 0.5, Box: image.Rect(1, 2, 3, 4)}}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	second, err := p.Find(t.Context(), whole(t))
	if err != nil || pid(second) != pid(first) {
		t.Errorf("second picture: got %v, %v, want the same process", second, err)
	}
}

// Further lines of a photo are read by the process that has it. Another process gets the photo again.
func TestPool_ReadsMoreLines(t *testing.T) {
	t.Parallel()
	p := pool(t, "reads", Config{Size: 2})
	first, other := whole(t), vision.Area{Photo: photo(t, 9)}
	found, err := p.Find(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	busy := p.idle[0]
	p.idle = nil
	if _, err := p.Find(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	p.put(busy)
	for name, c := range map[string]struct {
		area vision.Area
		want string
	}{
		"of the first": {first, "x 7 " + pid(found)},
		"of the other": {other, "x 9 "},
	} {
		read, err := p.Read(t.Context(), c.area, []ppocr.Line{{Text: "x"}})
		if err != nil || len(read) != 1 || !strings.HasPrefix(read[0].Text, c.want) {
			t.Errorf("%s: got %+v, %v, want %s", name, read, err, c.want)
		}
	}
	busy.kill()
	read, err := p.Read(t.Context(), first, []ppocr.Line{{Text: "x"}})
	if err != nil || !strings.HasPrefix(read[0].Text, "x 7 ") || strings.HasSuffix(read[0].Text, " "+pid(found)) {
		t.Errorf("after its process died: got %+v, %v, want the same by another one", read, err)
	}
	if read, err := p.Read(t.Context(), first, nil); err != nil || read != nil {
		t.Errorf("no lines: got %v, %v, want none", read, err)
	}
}

// The child dies in the middle of a request, or sends something else than a reply: the photo is read by another one.
func TestPool_SurvivesDeath(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"dies", "talks", "grows"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := pool(t, kind+":"+filepath.Join(t.TempDir(), "once"), Config{})
			for range 2 {
				if _, err := p.Find(t.Context(), whole(t)); err != nil {
					t.Errorf("Find: %v", err)
				}
			}
			if p.failures != 0 {
				t.Errorf("failures: got %d, want 0 after a success", p.failures)
			}
		})
	}
}

// The process is killed from outside while it reads.
func TestPool_SurvivesKill(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "once")
	p := pool(t, "hangs:"+file, Config{Timeout: time.Minute})
	c, err := p.take(t.Context(), photo(t, 7))
	if err != nil {
		t.Fatal(err)
	}
	p.put(c)
	done := make(chan error)
	go func() {
		_, err := p.Find(t.Context(), whole(t))
		done <- err
	}()
	for {
		if _, err := os.Stat(file); err == nil { // the child has begun to read
			break
		}
		select {
		case err := <-done:
			t.Fatalf("Find returned before the kill: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	c.kill()
	if err := <-done; err != nil {
		t.Errorf("Find: got %v, want the photo read by another process", err)
	}
}

func TestPool_GivesUp(t *testing.T) {
	t.Parallel()
	missing := New(Config{Command: []string{filepath.Join(t.TempDir(), "gone")}})
	for name, c := range map[string]struct {
		pool *Pool
		want func(error) bool
	}{
		"each child dies": {pool(t, "dies", Config{}), func(err error) bool { return errors.Is(err, errDied) }},
		"hangs": {
			pool(t, "hangs", Config{Timeout: 50 * time.Millisecond}),
			func(err error) bool { return errors.Is(err, ErrTimeout) },
		},
		"does not start": {pool(t, "no library", Config{}), func(err error) bool {
			return err != nil && strings.Contains(err.Error(), "the library is not there")
		}},
		"hangs at start": {
			pool(t, "hangs at start", Config{StartTimeout: 50 * time.Millisecond}),
			func(err error) bool { return err != nil && strings.Contains(err.Error(), "not ready after 50ms") },
		},
		"no program": {missing, func(err error) bool { return errors.Is(err, os.ErrNotExist) }},
		"refuses": {pool(t, "refuses", Config{}), func(err error) bool {
			return err != nil && strings.Contains(err.Error(), "the picture is odd") && !errors.Is(err, errDied)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if lines, err := c.pool.Find(t.Context(), whole(t)); !c.want(err) || lines != nil {
				t.Errorf("Find: got %v, %v, want another error", lines, err)
			}
		})
	}
}

func TestPool_EndOfContext(t *testing.T) {
	t.Parallel()
	p := pool(t, "hangs", Config{Timeout: time.Minute})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := p.Find(ctx, whole(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Find: got %v, want the error of the context", err)
	}
	if len(p.idle) != 0 {
		t.Error("the process that hangs was kept")
	}
}

// The caller gives up while a child starts, which is no failure of the child.
func TestPool_EndOfContextAtStart(t *testing.T) {
	t.Parallel()
	p := pool(t, "hangs at start", Config{StartTimeout: time.Minute})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := p.Find(ctx, whole(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Find: got %v, want the error of the context", err)
	}
	if p.failures != 0 {
		t.Errorf("failures: got %d, want 0", p.failures)
	}
}

func TestPool_Bounded(t *testing.T) {
	t.Parallel()
	const size, pictures = 2, 8
	p := pool(t, "reads", Config{Size: size})
	var mu sync.Mutex
	var reading sync.WaitGroup
	processes := map[string]bool{}
	for range pictures {
		reading.Go(func() {
			lines, err := p.Find(t.Context(), whole(t))
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			processes[pid(lines)] = true
		})
	}
	reading.Wait()
	if len(processes) > size {
		t.Errorf("processes: got %d, want at most %d", len(processes), size)
	}
	for range size { // acquire every slot
		p.slots <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Find(ctx, whole(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("Find without a slot: got %v, want the error of the context", err)
	}
}

func TestPool_DelaysStartsAfterFailures(t *testing.T) {
	t.Parallel()
	p := New(Config{})
	var delays []time.Duration
	for range 9 {
		p.note(errDied)
		delays = append(delays, time.Until(p.startAt).Round(100*time.Millisecond))
	}
	want := []time.Duration{100, 200, 400, 800, 1600, 3200, 6400, 10000, 10000}
	for i := range want {
		want[i] *= time.Millisecond
	}
	if diff := cmp.Diff(want, delays); diff != "" {
		t.Errorf("delays (-want +got):\n%s", diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.take(ctx, photo(t, 7)); !errors.Is(err, context.Canceled) {
		t.Errorf("take: got %v, want the error of the context while it waits", err)
	}
}

func TestPool_Close(t *testing.T) {
	t.Parallel()
	p := pool(t, "reads", Config{})
	if _, err := p.Find(t.Context(), whole(t)); err != nil {
		t.Fatal(err)
	}
	c := p.idle[0]
	p.Close()
	if c.cmd.ProcessState == nil {
		t.Error("the child still runs")
	}
	if _, err := p.Find(t.Context(), whole(t)); !errors.Is(err, errClosed) {
		t.Errorf("Find: got %v, want errClosed", err)
	}
}
