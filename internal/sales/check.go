package sales

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/fault"
)

// The lengths of texts, in characters (openapi/v1.yaml, Sale).
const (
	MaxFeeKind        = 40
	MaxReference      = 120
	MaxCarrier        = 60
	MaxTrackingNumber = 80
	MaxReason         = 500
)

// otherChannels are where cards are sold but on marketplaces.
var otherChannels = []string{"own_store", InPerson, "other"}

// InPerson is the channel of sales face to face, where the buyer takes the card along.
const InPerson = "in_person"

// Channels returns where cards are sold: the marketplaces, and elsewhere.
func (s *Service) Channels() []string { return s.channels }

// checkChannel returns an error unless the channel is known.
func (s *Service) checkChannel(channel string) error {
	if !slices.Contains(s.channels, channel) {
		return fault.Invalid("channel", "must be one of %s", strings.Join(s.channels, ", "))
	}
	return nil
}

// checkLine returns an error for field unless the text is one line of 1 to size characters. A nil text is valid.
func checkLine(field string, text *string, size int) error {
	if text == nil {
		return nil
	}
	if n := utf8.RuneCountInString(*text); n < 1 || n > size {
		return fault.Invalid(field, "must be 1 to %d characters", size)
	}
	if blank.Is(*text) {
		return fault.Invalid(field, "must not be blank")
	}
	if !blank.IsLine(*text) {
		return fault.Invalid(field, "must not contain control characters such as line breaks")
	}
	return nil
}

// checkReason returns an error unless the reason of a refund is a text of at most MaxReason characters, or nil.
func checkReason(reason *string) error {
	if reason == nil {
		return nil
	}
	if n := utf8.RuneCountInString(*reason); n < 1 || n > MaxReason {
		return fault.Invalid("reason", "must be 1 to %d characters", MaxReason)
	}
	if !utf8.ValidString(*reason) || strings.Contains(*reason, "\x00") {
		return fault.Invalid("reason", "must not contain NUL characters")
	}
	return nil
}

// check returns an error unless the texts of the patch are valid.
func (p Patch) check() error {
	if t := p.Tracking.Value; t != nil {
		if err := checkLine("tracking.carrier", &t.Carrier, MaxCarrier); err != nil {
			return err
		}
		if err := checkLine("tracking.number", &t.Number, MaxTrackingNumber); err != nil {
			return err
		}
	}
	return checkLine("buyer_reference", p.BuyerReference.Value, MaxReference)
}

// checkKind returns an error unless the kind of fee i is valid.
func checkKind(i int, kind string) error {
	return checkLine(fmt.Sprintf("fees.%d.kind", i), &kind, MaxFeeKind)
}
