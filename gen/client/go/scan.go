package cardvault

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"
)

// ScanPhoto is a photo for [Client.ScanCards], with the name of its file. [PhotoFile], [PhotoBytes] and [PhotoReader]
// return one.
type ScanPhoto struct {
	name string
	open func() (io.ReadCloser, error)
}

// PhotoFile returns the photo in a file, which is read when the photo is sent.
func PhotoFile(path string) ScanPhoto {
	return ScanPhoto{filepath.Base(path), func() (io.ReadCloser, error) { return os.Open(path) }}
}

// PhotoBytes returns a photo in memory. name is the name of its file, such as IMG_0001.jpg.
func PhotoBytes(name string, content []byte) ScanPhoto {
	return ScanPhoto{name, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }}
}

// PhotoReader returns the photo that r reads, until its end. One call can send it, also with several attempts.
func PhotoReader(name string, r io.Reader) ScanPhoto {
	return ScanPhoto{name, func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
}

// uploadRate is the slowest upload that does not time out, in bytes per second: one megabit.
const uploadRate = 128 << 10

// setForm sets the body of the message to the form of a struct, whose fields have the names of their JSON tags.
func (m *message) setForm(form any) error {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	fields := reflect.ValueOf(form)
	for i := range fields.NumField() {
		name, _, _ := strings.Cut(fields.Type().Field(i).Tag.Get("json"), ",")
		if err := writeField(w, name, fields.Field(i)); err != nil {
			return fmt.Errorf("cardvault: %s: %s: %w", m.operation, name, err)
		}
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("cardvault: %s: %w", m.operation, err)
	}
	m.body = body.Bytes()
	m.header.Set("Content-Type", w.FormDataContentType())
	m.uploadTime = time.Duration(len(m.body)) * time.Second / uploadRate
	return nil
}

// writeField writes photos as files, and another value as text unless it is zero.
func writeField(w *multipart.Writer, name string, value reflect.Value) error {
	photos, isFiles := value.Interface().([]ScanPhoto)
	if !isFiles && !value.IsZero() {
		return w.WriteField(name, fmt.Sprint(value.Interface()))
	}
	for _, photo := range photos {
		if err := photo.write(w, name); err != nil {
			return err
		}
	}
	return nil
}

func (p ScanPhoto) write(w *multipart.Writer, field string) error {
	content, err := p.open()
	if err != nil {
		return err
	}
	defer content.Close()
	file, err := w.CreateFormFile(field, p.name)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return err
}
