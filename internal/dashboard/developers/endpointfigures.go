package developers

import (
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/webhooks"
	"github.com/cardvault/cardvault/internal/webhooks/delivery"
)

const (
	// finishedTime is the time that the success rate of an endpoint is of.
	finishedTime = 7 * 24 * time.Hour
	// maxFinished is the number of deliveries of that time that are counted. The rate of an endpoint that gets more of
	// them is that of the latest deliveries.
	maxFinished = 10_000
	// deliveriesMeasured is the number of the latest deliveries whose attempts are measured.
	deliveriesMeasured = 100
)

// deliveryFigures are how deliveries to an endpoint went.
type deliveryFigures struct {
	Week      bool  // whether the counts are of finishedTime, not of the latest deliveries
	Delivered int   // deliveries that arrived
	Finished  int   // deliveries that arrived or were dropped
	Percent   int64 // Delivered in percent of Finished, rounded down
	P95       int64 // milliseconds within which 95 % of the attempts were answered; 0 if there are no attempts
	Measured  int   // the latest deliveries, whose attempts P95 is of
}

// figuresOf returns the figures of the latest deliveries, and of the week if all of its deliveries were counted.
func figuresOf(week webhooks.Finished, latest []webhooks.LoggedDelivery) deliveryFigures {
	f := deliveryFigures{Week: !week.More, Measured: len(latest)}
	f.count(week, latest)
	if f.Finished > 0 {
		f.Percent = int64(f.Delivered) * 100 / int64(f.Finished)
	}
	f.P95 = p95(latest)
	return f
}

func (f *deliveryFigures) count(week webhooks.Finished, latest []webhooks.LoggedDelivery) {
	if f.Week {
		f.Delivered, f.Finished = week.Delivered, week.Delivered+week.Dropped
		return
	}
	for i := range latest {
		switch latest[i].State {
		case webhooks.Delivered:
			f.Delivered++
			f.Finished++
		case webhooks.Dropped:
			f.Finished++
		}
	}
}

// p95 returns the milliseconds within which 95 % of the attempts were answered, or 0 if none was.
func p95(latest []webhooks.LoggedDelivery) int64 {
	var durations []time.Duration
	for i := range latest {
		for _, attempt := range latest[i].Log {
			if attempt.Status != nil {
				durations = append(durations, attempt.Duration)
			}
		}
	}
	if len(durations) == 0 {
		return 0
	}
	slices.Sort(durations)
	return durations[(95*len(durations)+99)/100-1].Milliseconds()
}

// failureAdvice says what to do about a failure, by the class at the start of its text.
var failureAdvice = map[string]string{
	"status":    "Open the delivery to read the answer, and mend the receiver.",
	"timeout":   "Answer first, and do the work after that.",
	"dns":       "Check the name in the address.",
	"tls":       "",
	"connect":   "Check that the receiver runs and that its port can be reached.",
	"forbidden": "Use an address that can be reached from the internet.",
	"other":     "Answer in HTTP with a status from 200 to 299.",
	"gone":      "Enable the webhook within 30 days.",
}

// failureText returns what happened in a failure of a delivery, without its class.
func failureText(lastError string) string {
	class, text, found := strings.Cut(lastError, ": ")
	if _, known := failureAdvice[class]; !found || !known {
		return lastError
	}
	return text
}

// attemptText returns what happened in an attempt without an answer, by its class.
func attemptText(class string) string { return failureText(delivery.Message(class)) }

// FailureWords returns a failure of a delivery as sentences: what happened, and what to do.
func FailureWords(lastError string) string {
	text := failureText(lastError)
	if text == lastError || text == "" {
		return lastError
	}
	class, _, _ := strings.Cut(lastError, ": ")
	return strings.TrimSpace(strings.ToUpper(text[:1]) + text[1:] + ". " + failureAdvice[class])
}
