package exports

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// segmentSize is the number of entries of the archive whose directory is in memory. Each takes about 230 bytes.
const segmentSize = 1000

// zipWriter writes a ZIP archive. archive/zip keeps the directory of all entries until it ends; a zipWriter writes
// segments of the archive with it, and keeps the directories of complete segments in a temporary file.
type zipWriter struct {
	to        counter
	segment   *zip.Writer
	out       diverter // of the segment
	entries   int      // of the segment
	total     uint64   // entries of the complete segments
	directory *os.File
}

// diverter is the destination of a segment: the archive, or at the end of the segment a buffer.
type diverter struct {
	to   io.Writer
	tail *bytes.Buffer
}

// Write implements io.Writer.
func (d *diverter) Write(p []byte) (int, error) {
	if d.tail != nil {
		return d.tail.Write(p)
	}
	return d.to.Write(p)
}

// newZipWriter returns a writer of an archive to w. The caller calls discard at the end.
func newZipWriter(w io.Writer) (*zipWriter, error) {
	file, err := os.CreateTemp("", "cardvault-export-")
	if err != nil {
		return nil, fmt.Errorf("set TMPDIR to a directory that can be written: %w", err)
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	z := &zipWriter{to: counter{to: w}, directory: file}
	z.begin()
	return z, nil
}

// discard removes the temporary file.
func (z *zipWriter) discard() { _ = z.directory.Close() }

// begin begins a segment.
func (z *zipWriter) begin() {
	z.out = diverter{to: &z.to}
	z.segment, z.entries = zip.NewWriter(&z.out), 0
	z.segment.SetOffset(z.to.n)
}

// CreateHeader adds an entry, like zip.Writer.CreateHeader.
func (z *zipWriter) CreateHeader(h *zip.FileHeader) (io.Writer, error) {
	if z.entries == segmentSize {
		if err := z.end(); err != nil {
			return nil, err
		}
		z.begin()
	}
	z.entries++
	return z.segment.CreateHeader(h)
}

// The sizes of the records at the end of an archive, without its comment (APPNOTE.TXT, sections 4.3.14 to 4.3.16).
const (
	endSize   = 22
	end64Size = 56 + 20 // with its locator
)

// end ends a segment. Closing the writer writes the end of the last entry, which belongs to the archive, then the
// segment's directory and end record.
func (z *zipWriter) end() error {
	if err := z.segment.Flush(); err != nil {
		return err
	}
	z.out.tail = &bytes.Buffer{}
	if err := z.segment.Close(); err != nil {
		return err
	}
	tail := z.out.tail.Bytes()
	directoryEnd := len(tail) - endSize
	size := uint64(binary.LittleEndian.Uint32(tail[directoryEnd+12:]))
	if size == math.MaxUint32 {
		directoryEnd -= end64Size
		size = binary.LittleEndian.Uint64(tail[directoryEnd+40:])
	}
	directory := directoryEnd - int(size)
	if _, err := z.to.Write(tail[:directory]); err != nil {
		return err
	}
	z.total += uint64(z.entries)
	_, err := z.directory.Write(tail[directory:directoryEnd])
	return err
}

// Close writes the directory of the archive.
func (z *zipWriter) Close() error {
	if err := z.end(); err != nil {
		return err
	}
	begin := uint64(z.to.n)
	if _, err := z.directory.Seek(0, io.SeekStart); err != nil {
		return err
	}
	size, err := io.Copy(&z.to, z.directory)
	if err != nil {
		return err
	}
	_, err = z.to.Write(endOfArchive(z.total, uint64(size), begin))
	return err
}

// endOfArchive returns the records at the end of an archive with so many entries, whose directory has the size and
// begins at the offset.
func endOfArchive(entries, size, offset uint64) (end []byte) {
	le := binary.LittleEndian
	if entries >= math.MaxUint16 || size >= math.MaxUint32 || offset >= math.MaxUint32 {
		const version = 45 // of ZIP64
		end = le.AppendUint64(le.AppendUint32(end, 0x06064b50), 44)
		end = le.AppendUint16(le.AppendUint16(end, version), version)
		end = le.AppendUint64(end, 0) // numbers of disks
		end = le.AppendUint64(le.AppendUint64(end, entries), entries)
		end = le.AppendUint64(le.AppendUint64(end, size), offset)
		end = le.AppendUint32(le.AppendUint32(end, 0x07064b50), 0)
		end = le.AppendUint32(le.AppendUint64(end, offset+size), 1)
	}
	end = le.AppendUint32(le.AppendUint32(end, 0x06054b50), 0)
	count := uint16(min(entries, math.MaxUint16))
	end = le.AppendUint16(le.AppendUint16(end, count), count)
	end = le.AppendUint32(end, uint32(min(size, math.MaxUint32)))
	end = le.AppendUint32(end, uint32(min(offset, math.MaxUint32)))
	return le.AppendUint16(end, 0)
}
