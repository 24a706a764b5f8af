package match

import "unicode/utf8"

// Distance returns the Levenshtein distance between two strings, in letters.
func Distance(a, b string) int {
	if isASCII(a) && isASCII(b) {
		return distance([]byte(a), []byte(b))
	}
	return distance([]rune(a), []rune(b))
}

// distance returns the Levenshtein distance between two sequences of letters.
func distance[E byte | rune](a, b []E) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			above := row[j+1]
			row[j+1] = min(above+1, row[j]+1, diagonal+cost(a[i] != b[j]))
			diagonal = above
		}
	}
	return row[len(b)]
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Similarity returns 1 for equal strings and 0 for entirely different ones.
func Similarity(a, b string) float64 {
	longer := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	if longer == 0 {
		return 0
	}
	return 1 - float64(Distance(a, b))/float64(longer)
}

// isTypo reports whether one edit turns a into b.
func isTypo(a, b string) bool {
	if isASCII(a) && isASCII(b) {
		return oneEdit([]byte(a), []byte(b))
	}
	return oneEdit([]rune(a), []rune(b))
}

// oneEdit reports whether the sequences differ and have at most one letter between their common start and end.
func oneEdit[E byte | rune](a, b []E) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return max(len(a), len(b)) == 1
}

// within returns the least number of edits that turn pattern into a substring of text (P. Sellers, 1980), or a greater
// number than most if it takes more than that. Each end of the substring that is within a number counts as an edit, so
// that 28/193 is not found in 128/193.
func within(pattern, text string, most int) int {
	row := make([]int, len(text)+1)
	for j := range row {
		row[j] = cost(j > 0 && text[j-1] >= '1' && text[j-1] <= '9')
	}
	for i := range len(pattern) {
		diagonal := row[0]
		row[0] = i + 1
		least := row[0]
		for j := range len(text) {
			above := row[j+1]
			row[j+1] = min(above+1, row[j]+1, diagonal+cost(pattern[i] != text[j]))
			least, diagonal = min(least, row[j+1]), above
		}
		if least > most { // it does not become less
			return least
		}
	}
	best := len(pattern)
	for j, edits := range row {
		best = min(best, edits+cost(j < len(text) && text[j] >= '0' && text[j] <= '9'))
	}
	return best
}

func cost(differs bool) int {
	if differs {
		return 1
	}
	return 0
}
