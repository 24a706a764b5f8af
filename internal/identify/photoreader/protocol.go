package photoreader

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// maxPhoto and maxFrame limit the memory for a photo and a frame, in bytes. Stored photos have at most 15 MiB.
const maxPhoto, maxFrame = 64 << 20, 8 << 20

// kind names the work that a request asks of a child.
type kind string

const (
	survey kind = "survey"
	find   kind = "find"
	read   kind = "read"
)

// request is the frame that a child gets: the length, as four bytes, and JSON. The encoded photo follows it if it has a
// length.
type request struct {
	Kind kind `json:"kind"`
	// Length is the photo's size in bytes. Zero means: use the previous request's photo again.
	Length int `json:"length,omitempty"`
	// Part is the Part of a vision.Area.
	Part image.Rectangle `json:"part"`
	// Lines are the lines to read.
	Lines []ppocr.Line `json:"lines,omitempty"`
}

// area returns the area that the request is about.
func (r request) area(photo []byte) vision.Area { return vision.Area{Photo: photo, Part: r.Part} }

// reply is the frame that a child sends when it is ready, and for each request: the length, as four bytes, and JSON.
type reply struct {
	Survey vision.Survey `json:"survey,omitzero"`
	Lines  []ppocr.Line  `json:"lines,omitempty"`
	Error  string        `json:"error,omitempty"`
}

// writeRequest writes a request about a photo, with the photo unless the child has it.
func writeRequest(w io.Writer, req request, photo []byte, hasPhoto bool) error {
	if hasPhoto {
		photo = nil
	}
	if req.Length = len(photo); req.Length > maxPhoto {
		return fmt.Errorf("a photo of %d bytes is too large", req.Length)
	}
	buf := bufio.NewWriter(w)
	if err := writeFrame(buf, req); err != nil {
		return err
	}
	if _, err := buf.Write(photo); err != nil {
		return err
	}
	return buf.Flush()
}

// readRequest reads a request without its photo. It returns io.EOF if there is no further one.
func readRequest(r io.Reader) (req request, err error) {
	if err := readFrame(r, &req); err != nil {
		return req, err
	}
	if req.Length < 0 || req.Length > maxPhoto {
		return req, fmt.Errorf("the photo has an invalid length: %d bytes", req.Length)
	}
	return req, nil
}

// readPhoto reads the photo of a request.
func readPhoto(r io.Reader, req request) ([]byte, error) {
	photo := make([]byte, req.Length)
	if _, err := io.ReadFull(r, photo); err != nil {
		return nil, fmt.Errorf("the photo is cut: %w", err)
	}
	return photo, nil
}

func writeReply(w io.Writer, r reply) error { return writeFrame(w, r) }

func readReply(r io.Reader) (answer reply, err error) {
	err = readFrame(r, &answer)
	return answer, err
}

func writeFrame(w io.Writer, content any) error {
	body, err := json.Marshal(content)
	if err != nil {
		return err
	}
	_, err = w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...))
	return err
}

// readFrame reads a frame into content. It returns io.EOF if there is no further one.
func readFrame(r io.Reader, content any) error {
	var header [4]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return err
	}
	length := binary.BigEndian.Uint32(header[:])
	if length > maxFrame {
		return errors.New("the frame is too long")
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(r, body); err != nil {
		return fmt.Errorf("the frame is cut: %w", err)
	}
	return json.Unmarshal(body, content)
}
