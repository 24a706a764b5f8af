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
	// maxPixels and maxReply bound what is allocated for a frame. vision.Decode returns at most 2400 × 2400 pixels.
	maxPixels, maxReply = 8 << 20, 8 << 20
	bytesPerPixel       = 4
)

// reply is the frame that a child sends when it is ready, and for each picture: the length, as four bytes, and JSON.
type reply struct {
	Lines []ppocr.Line `json:"lines,omitempty"`
	Error string       `json:"error,omitempty"`
}

// writePicture writes a request: width and height, as four bytes each, and the rows of pixels.
func writePicture(w io.Writer, picture *image.RGBA) error {
	width, height := picture.Rect.Dx(), picture.Rect.Dy()
	if width*height > maxPixels {
		return fmt.Errorf("%d × %d pixels are too many", width, height)
	}
	buffered := bufio.NewWriterSize(w, 1<<20)
	header := binary.BigEndian.AppendUint32(nil, uint32(width))
	if _, err := buffered.Write(binary.BigEndian.AppendUint32(header, uint32(height))); err != nil {
		return err
	}
	for y := range height {
		if _, err := buffered.Write(picture.Pix[y*picture.Stride:][:bytesPerPixel*width]); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// readPicture reads a request. It returns io.EOF if there is no further one.
func readPicture(r io.Reader) (*image.RGBA, error) {
	var header [8]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return nil, err
	}
	width, height := binary.BigEndian.Uint32(header[:]), binary.BigEndian.Uint32(header[4:])
	if uint64(width)*uint64(height) > maxPixels {
		return nil, errors.New("the picture is too large")
	}
	picture := image.NewRGBA(image.Rect(0, 0, int(width), int(height)))
	if _, err := io.ReadFull(r, picture.Pix); err != nil {
		return nil, fmt.Errorf("the picture is cut: %w", err)
	}
	return picture, nil
}

func writeReply(w io.Writer, r reply) error {
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...))
	return err
}

func readReply(r io.Reader) (answer reply, err error) {
	var header [4]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return answer, err
	}
	length := binary.BigEndian.Uint32(header[:])
	if length > maxReply {
		return answer, errors.New("the reply is too long")
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(r, body); err != nil {
		return answer, err
	}
	return answer, json.Unmarshal(body, &answer)
}
