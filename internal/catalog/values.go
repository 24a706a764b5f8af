package catalog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

var errNotJSON = errors.New("the file begins with neither [ nor {")

// eachValue calls fn for each object in f: the elements of an array, or objects that each begin on a new line. It calls
// skip for an object that is not valid. Only one object is in memory at a time.
func eachValue(
	f *source, fn func(line int, value json.RawMessage) error, skip func(line int, message string) error,
) error {
	beginning := bufio.NewReader(f.r)
	f.r = beginning
	first, err := firstByte(beginning)
	switch {
	case err != nil:
		return errors.Join(errNotJSON, err)
	case first == '[':
		return eachElement(f, fn)
	case first != '{':
		return errNotJSON
	}
	return eachLine(f, fn, skip)
}

// firstByte returns the first byte that is neither white space nor part of a byte order mark, without reading it.
func firstByte(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		if !bytes.ContainsRune([]byte(" \t\r\n"), rune(b)) && !strings.ContainsRune("\xef\xbb\xbf", rune(b)) {
			return b, r.UnreadByte()
		}
	}
}

// eachLine calls fn for each object that begins at the beginning of a line and ends at the end of one.
func eachLine(
	f *source, fn func(line int, value json.RawMessage) error, skip func(line int, message string) error,
) error {
	reader := bufio.NewReaderSize(f, 64<<10)
	var object []byte
	begin := 1
	complete := func() error {
		value := bytes.TrimSpace(object)
		object = object[:0]
		f.nextElement()
		switch {
		case len(value) == 0:
			return nil
		case !json.Valid(value):
			return skip(begin, "not a JSON object")
		}
		return fn(begin, value)
	}
	for line := 1; ; line++ {
		text, err := reader.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if bytes.HasPrefix(text, []byte("{")) { // also ends an object that was cut
			if err := complete(); err != nil {
				return err
			}
			begin = line
		}
		object = append(object, text...)
		if err != nil {
			return complete()
		}
	}
}

// byLanguage is a text in one or several languages. In JSON, it is a string or an object of texts by language; a string
// has the language "".
type byLanguage map[string]string

// UnmarshalJSON implements json.Unmarshaler.
func (t *byLanguage) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err == nil {
		if text != "" {
			*t = byLanguage{"": text}
		}
		return nil
	}
	return json.Unmarshal(data, (*map[string]string)(t))
}

// in returns the text in a language, or the one whose language is not named.
func (t byLanguage) in(language string) string {
	return either(t[language], t[""])
}

// looseText is a text that catalogues write as a string, as a number, or as an object with a name. Other values are "".
type looseText string

// UnmarshalJSON implements json.Unmarshaler.
func (t *looseText) UnmarshalJSON(data []byte) error {
	var object struct {
		Name string `json:"name"`
	}
	switch {
	case json.Unmarshal(data, (*string)(t)) == nil:
	case json.Unmarshal(data, &object) == nil:
		*t = looseText(object.Name)
	case len(data) > 0 && isDigit(rune(data[0])):
		*t = looseText(data)
	}
	return nil
}

// looseNumber is an amount that catalogues write as a number or as a string. Other values are 0.
type looseNumber float64

// UnmarshalJSON implements json.Unmarshaler.
func (n *looseNumber) UnmarshalJSON(data []byte) error {
	var number float64
	if json.Unmarshal(bytes.Trim(data, `"`), &number) == nil {
		*n = looseNumber(number)
	}
	return nil
}
