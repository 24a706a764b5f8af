package match

// Distance is the Levenshtein distance between two strings, in bytes: the callers
// compare folded ASCII.
func Distance(a, b string) int {
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

// Similarity is 1 for equal strings and 0 for entirely different ones.
func Similarity(a, b string) float64 {
	longer := max(len(a), len(b))
	if longer == 0 {
		return 0
	}
	return 1 - float64(Distance(a, b))/float64(longer)
}

// within is the least number of edits that turn pattern into some stretch of text
// (P. Sellers, 1980). A stretch torn out of a longer number costs an edit for each
// end it is torn at, so that 28/193 is not found in 128/193.
func within(pattern, text string) int {
	row := make([]int, len(text)+1)
	for j := range row {
		row[j] = cost(j > 0 && text[j-1] >= '1' && text[j-1] <= '9')
	}
	for i := range len(pattern) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(text) {
			above := row[j+1]
			row[j+1] = min(above+1, row[j]+1, diagonal+cost(pattern[i] != text[j]))
			diagonal = above
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
