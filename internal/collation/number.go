package collation

import (
	"unicode"
	"unicode/utf8"
)

// appendNumbered appends text with the number of digits before each number, without its leading zeros, so that numbers
// compare by their values when digits are compared from left to right. Package collate can compare numbers too, but
// puts "0/A" after "1".
func appendNumbered(to []byte, text string) []byte {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if _, ok := digit(r); !ok {
			to = append(to, text[i:i+size]...)
			i += size
			continue
		}
		number, digits := numberAt(text[i:])
		i += len(number)
		to = appendCount(to, digits)
		to = append(to, number[leadingZeros(number):]...)
	}
	return to
}

// numberAt returns the number at the start of text, and the number of its digits without leading zeros.
func numberAt(text string) (number string, digits int) {
	for i, r := range text {
		value, ok := digit(r)
		if !ok {
			return text[:i], digits
		}
		if digits > 0 || value > 0 {
			digits++
		}
	}
	return text, digits
}

// leadingZeros returns the size of the zeros at the start of a number.
func leadingZeros(number string) int {
	for i, r := range number {
		if value, _ := digit(r); value > 0 {
			return i
		}
	}
	return len(number)
}

// appendCount appends a number of digits as digits that compare from left to right: 0 to 8 as one digit, 9 as 90, 10 as
// 91, 18 as 990.
func appendCount(to []byte, count int) []byte {
	for ; count >= 9; count -= 9 {
		to = append(to, '9')
	}
	return append(to, byte('0'+count))
}

// digit returns the value of a decimal digit of any script. Each range of such digits begins with a zero.
func digit(r rune) (value int, ok bool) {
	if r < utf8.RuneSelf {
		return int(r - '0'), '0' <= r && r <= '9'
	}
	if !unicode.Is(unicode.Nd, r) {
		return 0, false
	}
	for _, digits := range unicode.Nd.R16 {
		if rune(digits.Lo) <= r && r <= rune(digits.Hi) {
			return int(r-rune(digits.Lo)) % 10, true
		}
	}
	for _, digits := range unicode.Nd.R32 {
		if rune(digits.Lo) <= r && r <= rune(digits.Hi) {
			return int(r-rune(digits.Lo)) % 10, true
		}
	}
	return 0, false
}
