package textreader

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
)

const (
	// maxPixels and maxFrame bound what is allocated for a frame. vision.Decode returns at most 2400 × 2400 pixels.
	maxPixels, maxFrame = 8 << 20, 8 << 20
	bytesPerPixel       = 4
)

// request is the frame that a child gets: the length, as four bytes, and JSON. The rows of pixels follow it if it has a
// width.
type request struct {
	// Width and Height are the size of the picture, or 0 if it is that of the request before.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`
	// Lines are those to read. The lines of the picture are found if they are nil.
	Lines []ppocr.Line `json:"lines,omitempty"`
}

// reply is the frame that a child sends when it is ready, and for each request: the length, as four bytes, and JSON.
type reply struct {
	Lines []ppocr.Line `json:"lines,omitempty"`
	Error string       `json:"error,omitempty"`
}

// writeRequest writes a request for a picture. Its pixels are left out if the child has them.
func writeRequest(w io.Writer, picture *image.RGBA, hasPicture bool, lines []ppocr.Line) error {
	asked := request{Lines: lines}
	if !hasPicture {
		asked.Width, asked.Height = picture.Rect.Dx(), picture.Rect.Dy()
	}
	if asked.Width*asked.Height > maxPixels {
		return fmt.Errorf("%d × %d pixels are too many", asked.Width, asked.Height)
	}
	buffered := bufio.NewWriterSize(w, 1<<20)
	if err := writeFrame(buffered, asked); err != nil {
		return err
	}
	for y := range asked.Height {
		if _, err := buffered.Write(picture.Pix[y*picture.Stride:][:bytesPerPixel*asked.Width]); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// readRequest reads a request without its pixels. It returns io.EOF if there is no further one.
func readRequest(r io.Reader) (asked request, err error) {
	if err := readFrame(r, &asked); err != nil {
		return asked, err
	}
	if asked.Width < 0 || asked.Height < 0 || asked.Width > maxPixels || asked.Height > maxPixels ||
		asked.Width*asked.Height > maxPixels {
		return asked, errors.New("the picture is too large")
	}
	return asked, nil
}

// readPicture reads the pixels of a request. It uses the memory of a picture that is not used any more, or nil.
func readPicture(r io.Reader, asked request, old *image.RGBA) (*image.RGBA, error) {
	size := bytesPerPixel * asked.Width * asked.Height
	picture := &image.RGBA{Stride: bytesPerPixel * asked.Width, Rect: image.Rect(0, 0, asked.Width, asked.Height)}
	if old != nil && cap(old.Pix) >= size {
		picture.Pix = old.Pix[:size]
	} else {
		picture.Pix = make([]byte, size)
	}
	if _, err := io.ReadFull(r, picture.Pix); err != nil {
		return nil, fmt.Errorf("the picture is cut: %w", err)
	}
	return picture, nil
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
