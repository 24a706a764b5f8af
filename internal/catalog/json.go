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

// Errors of JSON files of the wrong type.
var (
	errNotArray  = errors.New("the file does not begin with [")
	errNotObject = errors.New("the file does not begin with {")
)

// eachElement calls fn for each element of the JSON array in f, with the line on which the element begins. Only one
// element is in memory at a time.
func eachElement(f *source, fn func(line int, element json.RawMessage) error) error {
	decoder := json.NewDecoder(f)
	if token, err := decoder.Token(); err != nil || token != json.Delim('[') {
		return errors.Join(errNotArray, err)
	}
	return restOfArray(f, decoder, fn)
}

// restOfArray calls fn for each element of the array whose opening bracket the decoder has passed.
func restOfArray(f *source, decoder *json.Decoder, fn func(line int, element json.RawMessage) error) error {
	for {
		f.nextElement()
		if !decoder.More() {
			break
		}
		line, element, err := nextValue(f, decoder)
		if err != nil {
			return err
		}
		if err := fn(line, element); err != nil {
			return err
		}
	}
	_, err := decoder.Token() // the closing bracket, which a truncated file does not have
	return err
}

// eachMember calls fn for each member of the JSON object in f, with the line on which its value begins.
func eachMember(f *source, fn func(line int, key string, value json.RawMessage) error) error {
	return eachMemberExcept(f, "", nil, fn)
}

// eachMemberExcept does the same, but calls element for each element of the array that is the member array.
func eachMemberExcept(
	f *source, array string, element func(line int, element json.RawMessage) error,
	fn func(line int, key string, value json.RawMessage) error,
) error {
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
		if element != nil && key == array {
			if token, err := decoder.Token(); err != nil || token != json.Delim('[') {
				return errors.Join(fmt.Errorf("%q is not an array", array), err)
			}
			if err := restOfArray(f, decoder, element); err != nil {
				return err
			}
			continue
		}
		line, value, err := nextValue(f, decoder)
		if err != nil {
			return err
		}
		if err := fn(line, fmt.Sprint(key), value); err != nil {
			return err
		}
	}
	_, err := decoder.Token()
	return err
}

// nextValue returns the next value and the line on which it begins.
func nextValue(f *source, decoder *json.Decoder) (line int, value json.RawMessage, err error) {
	if err := decoder.Decode(&value); err != nil {
		return 0, nil, err
	}
	return f.line(decoder.InputOffset() - int64(len(value))), value, nil
}

// looseInt is a whole number that catalogues write as a number or as a string, such as "60". Other values, such as
// "None", are 0.
type looseInt int

// UnmarshalJSON implements json.Unmarshaler.
func (n *looseInt) UnmarshalJSON(data []byte) error {
	value, err := strconv.Atoi(strings.Trim(string(data), `"`))
	if err == nil {
		*n = looseInt(value)
	}
	return nil
}

// yearOf returns the year of a date such as 2016/11/02 or 2016-11-02, or 0 for other texts.
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

// dateOf parses a date such as 2016/11/02 or 2016-11-02. It returns the beginning of the day in UTC.
func dateOf(date string) (time.Time, bool) {
	day, err := time.Parse("2006-01-02", strings.ReplaceAll(date, "/", "-"))
	return day, err == nil
}

// priceOf returns an amount of major units as a price, rounded to the currency's minor unit. It returns nil for 0,
// which catalogues use for an unknown price, and for an amount that is out of range.
func priceOf(major float64, currency string) *money.Money {
	amount := math.Round(major * math.Pow10(money.Digits(currency)))
	if amount < 1 || amount > money.Max {
		return nil
	}
	return &money.Money{Amount: int64(amount), Currency: currency}
}
