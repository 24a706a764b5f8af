package exports

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"
)

// Archives with entries of several segments are read by archive/zip, which checks every checksum and size.
func TestZipWriter_Reads(t *testing.T) {
	t.Parallel()
	for _, entries := range []int{0, 1, segmentSize - 1, segmentSize, segmentSize + 1, 70_000} {
		t.Run(fmt.Sprint(entries), func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			z, err := newZipWriter(&out)
			if err != nil {
				t.Fatal(err)
			}
			defer z.discard()
			for i := range entries {
				to, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprint(i), Method: uint16(i % 2 * 8)})
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(to, "content of %d", i)
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			read, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
			if err != nil || len(read.File) != entries {
				t.Fatalf("got %d entries, %v", len(read.File), err)
			}
			for i, file := range read.File {
				content, err := file.Open()
				if err != nil {
					t.Fatal(err)
				}
				text, err := io.ReadAll(content)
				if want := fmt.Sprintf("content of %d", i); err != nil || string(text) != want {
					t.Fatalf("entry %s: got %q, %v; want %q", file.Name, text, err, want)
				}
			}
		})
	}
}

// An archive beyond 4 GiB has offsets of 64 bits, also in its segments.
func TestZipWriter_Large(t *testing.T) {
	t.Parallel()
	out := &sparse{}
	z, err := newZipWriter(out)
	if err != nil {
		t.Fatal(err)
	}
	defer z.discard()
	z.to.n = 5 << 30 // as if so much had been written
	out.skipped = z.to.n
	z.begin()
	for i := range segmentSize + 1 {
		to, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprint(i), Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(to, i)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	read, err := zip.NewReader(out, out.skipped+int64(len(out.written)))
	if err != nil || len(read.File) != segmentSize+1 {
		t.Fatal(err)
	}
	last, err := read.File[segmentSize].Open()
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(last); err != nil || string(text) != fmt.Sprint(segmentSize) {
		t.Errorf("got %q, %v", text, err)
	}
}

// sparse is a file whose beginning is not stored.
type sparse struct {
	skipped int64
	written []byte
}

func (s *sparse) Write(p []byte) (int, error) {
	s.written = append(s.written, p...)
	return len(p), nil
}

func (s *sparse) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(s.written).ReadAt(p, at-s.skipped)
}

// The memory does not grow with the entries: a million photos would take 229 MiB with archive/zip.
func TestZipWriter_Memory(t *testing.T) {
	z, err := newZipWriter(io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer z.discard()
	const name = "photos/card_01k5w0q2m7t9c3r5v8x0z1b4d6-front.jpg"
	add := func(entries int) uint64 {
		for range entries {
			if _, err := z.CreateHeader(&zip.FileHeader{Name: name}); err != nil {
				t.Fatal(err)
			}
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := add(segmentSize)
	if after := add(100 * segmentSize); after > before+2<<20 {
		t.Errorf("the heap grew from %d to %d bytes with 100,000 entries", before, after)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}
