package tesseract

import (
	"context"
	"errors"
	"image"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// printed draws text in large black letters on white.
func printed(text string) *image.Gray {
	const scale, margin = 4, 10
	small := image.NewGray(image.Rect(0, 0, 7*len(text)+2*margin, 13+2*margin))
	for i := range small.Pix {
		small.Pix[i] = 255
	}
	d := font.Drawer{
		Dst: small, Src: image.NewUniform(color.Black), Face: basicfont.Face7x13, Dot: fixed.P(margin, margin+11),
	}
	d.DrawString(text)
	large := image.NewGray(image.Rect(0, 0, scale*small.Rect.Dx(), scale*small.Rect.Dy()))
	for y := range large.Rect.Dy() {
		for x := range large.Rect.Dx() {
			large.SetGray(x, y, small.GrayAt(x/scale, y/scale))
		}
	}
	return large
}

func TestRead_Print(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("tesseract"); err != nil {
		t.Fatalf("tesseract is needed, install tesseract-ocr: %v", err)
	}
	words, err := New(Config{Timeout: time.Minute}).Read(t.Context(), printed("Flip three coins"), Block)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, w := range words {
		texts = append(texts, w.Text)
		if w.Box.Empty() || w.Confidence <= 0 || w.Line != 0 {
			t.Errorf("word: got %+v, want a box, a confidence and the first line", w)
		}
	}
	if got := strings.Join(texts, " "); got != "Flip three coins" {
		t.Errorf("Read: got %q, want Flip three coins", got)
	}
}

func TestRead_WithoutProgram(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"no-such-program-anywhere", filepath.Join(t.TempDir(), "gone")} {
		engine := New(Config{Command: command})
		if err := engine.Check(); !errors.Is(err, ErrMissing) {
			t.Errorf("Check of %s: got %v, want ErrMissing", command, err)
		}
		_, err := engine.Read(t.Context(), printed("x"), Block)
		if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "install the package tesseract-ocr") {
			t.Errorf("Read with %s: got %v, want ErrMissing, which names the package", command, err)
		}
	}
}

// script creates a program that replaces tesseract.
func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tesseract")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRead_SurvivesFailingProgram(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		timeout    time.Duration
		want       func(error) bool
	}{
		{"hangs", "exec sleep 60", time.Second, func(err error) bool { return errors.Is(err, ErrTimeout) }},
		{"crashes", "kill -SEGV $$", time.Minute, func(err error) bool {
			return err != nil && !errors.Is(err, ErrTimeout)
		}},
		{"exits with an error", "echo no such language >&2; exit 1", time.Minute, func(err error) bool {
			return err != nil && strings.Contains(err.Error(), "no such language")
		}},
		{"endless output", "exec yes", time.Second, func(err error) bool { return errors.Is(err, ErrTimeout) }},
		{"no output", "cat >/dev/null", time.Minute, func(err error) bool { return err == nil }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			e := New(Config{Command: script(t, test.body), Timeout: test.timeout})
			words, err := e.Read(t.Context(), printed("x"), Block)
			if !test.want(err) || len(words) != 0 {
				t.Errorf("Read: got %v, %v, want no words and another error", words, err)
			}
		})
	}
}

// Tesseract gets a limit of its memory and none of the secrets of the service.
func TestRead_Confined(t *testing.T) {
	for _, name := range []string{"CARDVAULT_SECRET_KEY", "CARDVAULT_DATABASE_URL", "AWS_SECRET_ACCESS_KEY"} {
		t.Setenv(name, "secret-value")
	}
	e := New(Config{Command: script(t, "cat >/dev/null; env >&2; ulimit -d >&2; exit 1"), Timeout: time.Minute})
	_, err := e.Read(t.Context(), printed("x"), Block)
	if err == nil || !strings.Contains(err.Error(), "OMP_THREAD_LIMIT=1") {
		t.Fatalf("Read: got %v, want the environment", err)
	}
	if strings.Contains(err.Error(), "secret-value") || strings.Contains(err.Error(), "unlimited") {
		t.Errorf("the process has secrets or unlimited memory: %v", err)
	}
}

func TestRead_WaitsForSlot(t *testing.T) {
	t.Parallel()
	e := New(Config{Concurrency: 1})
	e.slots <- struct{}{} // acquire the only slot
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Read(ctx, printed("x"), Block); !errors.Is(err, context.Canceled) {
		t.Errorf("Read: got %v, want the error of the context", err)
	}
}
