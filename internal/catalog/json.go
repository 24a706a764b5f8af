package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/money"
)

// errNotArray and errNotObject say what a JSON file should have begun with.
var (
	errNotArray  = errors.New("the file does not begin with [")
	errNotObject = errors.New("the file does not begin with {")
)

// eachElement calls fn for each element of the JSON array that f holds, with the line it begins on.
// One element is in memory at a time.
func eachElement(f *source, fn func(line int, element json.RawMessage) error) error {
	decoder := json.NewDecoder(f)
	if token, err := decoder.Token(); err != nil || token != json.Delim('[') {
		return errors.Join(errNotArray, err)
	}
	for {
		f.nextElement()
		if !decoder.More() {
			break
		}
		var element json.RawMessage
		if err := decoder.Decode(&element); err != nil {
			return err
		}
		if err := fn(f.line(decoder.InputOffset()-int64(len(element))), element); err != nil {
			return err
		}
	}
	_, err := decoder.Token() // the closing bracket: a file that was cut off has none
	return err
}

// eachMember calls fn for each member of the JSON object that f holds, with the line its value begins on.
func eachMember(f *source, fn func(line int, key string, value json.RawMessage) error) error {
	decoder := json.NewDecoder(f)
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return errors.Join(errNotObject, err)
	}
	for {
		f.nextElement()
		if !decoder.More() {
			break
		}
		key, err := decoder.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		line := f.line(decoder.InputOffset() - int64(len(value)))
		if err := fn(line, fmt.Sprint(key), value); err != nil {
			return err
		}
	}
	_, err := decoder.Token()
	return err
}

// looseInt is a number that catalogues write as a number, as text ("60") or as something else ("None"),
// which is 0.
type looseInt int

// UnmarshalJSON implements json.Unmarshaler.
func (n *looseInt) UnmarshalJSON(data []byte) error {
	value, err := strconv.Atoi(strings.Trim(string(data), `"`))
	if err == nil {
		*n = looseInt(value)
	}
	return nil
}

// yearOf returns the year that a date such as 2016/11/02 or 2016-11-02 begins with; 0 if it does not.
func yearOf(date string) int {
	if len(date) < 4 {
		return 0
	}
	year, err := strconv.Atoi(date[:4])
	if err != nil {
		return 0
	}
	return year
}

// dateOf returns the day that a date such as 2016/11/02 names, in UTC.
func dateOf(date string) (time.Time, bool) {
	day, err := time.Parse("2006-01-02", strings.ReplaceAll(date, "/", "-"))
	return day, err == nil
}

// priceOf returns a price that a catalogue gives as a decimal number of major units, rounded to the
// currency's minor unit; nil for none and for 0, which catalogues use for "no price".
func priceOf(major float64, currency string) *money.Money {
	amount := math.Round(major * math.Pow10(money.Digits(currency)))
	if amount < 1 || amount > money.Max {
		return nil
	}
	return &money.Money{Amount: int64(amount), Currency: currency}
}
