package cards

import "github.com/cardvault/cardvault/internal/fault"

// MostExpected returns the most cards that a request may change whose caller expects this number: a hundredth more,
// rounded down, because other requests change cards meanwhile.
func MostExpected(expected int) int { return expected + tolerance(expected) }

func tolerance(expected int) int { return expected / 100 }

// CheckExpected returns unexpected_count if the number of cards that a request selects differs by more than the
// tolerance from the number that its caller expects. A nil expectation allows any number.
func CheckExpected(expected *int, selected int64) error {
	if expected == nil {
		return nil
	}
	if difference := selected - int64(*expected); max(difference, -difference) <= int64(tolerance(*expected)) {
		return nil
	}
	return fault.New(fault.UnexpectedCount, "The request selects %d cards, but expected_count is %d. "+
		"Nothing was changed. Read the cards again, and send the number that you want to change.", selected, *expected)
}
