package cards

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/fault"
)

// The contract's limits of a card's texts, in characters (sections 2 and 4, and openapi/v1.yaml).
const (
	MaxTitle            = 200
	MaxSet              = 120
	MaxNumber           = 20
	MaxCatalogID        = 64
	MaxVariant          = 60
	MaxLanguage         = 35
	MaxGradeCompany     = 20
	MaxGradeValue       = 10
	MaxCertNumber       = 30
	MaxLocation         = 200
	MaxLocationSegments = 5
	MaxSKU              = 80
	MaxExternalID       = 100
	MaxMetadata         = 50 // keys
	MaxMetadataKey      = 40
	MaxMetadataValue    = 500
	MaxNotes            = 4000
	MaxPhotoURL         = 2048
)

// MinYear and MaxYear bound a card's year.
const (
	MinYear = 1800
	MaxYear = 2200
)

// OtherGame is the game of cards whose game has no value of its own.
const OtherGame = "other"

// Games and Conditions are the values that a card's game and condition may have.
var (
	Games      = []string{"pokemon", "magic", "yugioh", "sports", OtherGame}
	Conditions = []string{"NM", "LP", "MP", "HP", "DMG"}
)

var (
	languageTag  = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$`)
	photoAddress = regexp.MustCompile(`^https?://[!-~]+$`)
)

// Check returns an invalid_request error that names every field outside the contract's limits by its path
// in a request body, such as "identification.title", or nil. The API validates requests before. Files and
// commands are only checked here.
func (p Patch) Check() error { return p.check() }

func (p *Patch) check() error {
	var c checks
	for _, f := range ownedFields {
		f.check(p, &c)
	}
	c.metadata(p.Metadata)
	return c.fault()
}

// CheckLine returns an invalid_request error unless text has 1 to limit characters, is not blank, and has no control
// characters or line breaks.
func CheckLine(field, text string, limit int) error {
	switch n := utf8.RuneCountInString(text); {
	case n < 1 || n > limit:
		return fault.Invalid(field, "must have 1 to %d characters; it has %d", limit, n)
	case blank.Is(text):
		return fault.Invalid(field, "must not be blank")
	case !blank.IsLine(text):
		return fault.Invalid(field, "must not contain control characters such as line breaks")
	}
	return nil
}

// CheckLocation returns an invalid_request error unless location is 1 to 5 non-empty segments joined by
// "/", at most 200 characters in total, without control characters.
func CheckLocation(field, location string) error {
	segments := strings.Split(location, "/")
	switch {
	case slices.ContainsFunc(segments, blank.Is) || len(segments) > MaxLocationSegments:
		return fault.Invalid(field, "must be 1 to %d non-empty segments separated by /", MaxLocationSegments)
	case utf8.RuneCountInString(location) > MaxLocation:
		return fault.Invalid(field, "must have at most %d characters", MaxLocation)
	case !blank.IsLine(location):
		return fault.Invalid(field, "must not contain control characters such as line breaks")
	}
	return nil
}

// Check returns an invalid_request error unless the photo has a valid URL and role.
func (p NewPhoto) Check(field string) error {
	switch {
	case len(p.URL) > MaxPhotoURL || !photoAddress.MatchString(p.URL):
		return fault.Invalid(field+".url", "must be an HTTPS URL of at most %d characters; percent-encode spaces and "+
			"characters beyond ASCII", MaxPhotoURL)
	case !slices.Contains(Roles, p.Role):
		return fault.Invalid(field+".role", "must be one of %v", Roles)
	}
	return nil
}

// checks collects the errors of the fields of one card.
type checks struct{ details []fault.Detail }

// add adds the details of err, which is from fault.Invalid or nil.
func (c *checks) add(err error) {
	if f, ok := fault.As(err); ok {
		c.details = append(c.details, f.Details...)
	}
}

// fault returns the collected details as one error, whose message is about the first field.
func (c *checks) fault() error {
	if len(c.details) == 0 {
		return nil
	}
	first := c.details[0]
	return fault.New(fault.InvalidRequest, "%s: %s", first.Field, first.Message).WithDetails(c.details...)
}

// lines checks a text that can have several lines.
func (c *checks) lines(field, text string, limit int) {
	if n := utf8.RuneCountInString(text); n > limit {
		c.add(fault.Invalid(field, "must have at most %d characters; they have %d", limit, n))
	}
	if strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
		c.add(fault.Invalid(field, "must be text in UTF-8 without NUL characters"))
	}
}

// metadata checks each key and value of a patch.
func (c *checks) metadata(f Field[map[string]*string]) {
	if f.value == nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(*f.value)) {
		if err := CheckLine("", key, MaxMetadataKey); err != nil {
			c.add(fault.Invalid("metadata",
				"must have keys of 1 to %d characters without control characters", MaxMetadataKey))
			continue
		}
		value := (*f.value)[key]
		if value == nil {
			continue
		}
		if n := utf8.RuneCountInString(*value); n > MaxMetadataValue {
			c.add(fault.Invalid("metadata."+key, "must have at most %d characters; it has %d", MaxMetadataValue, n))
		}
		if strings.ContainsRune(*value, 0) || !utf8.ValidString(*value) {
			c.add(fault.Invalid("metadata."+key, "must be text in UTF-8 without NUL characters"))
		}
	}
}

func (c *checks) language(field, tag string) {
	if len(tag) > MaxLanguage || !languageTag.MatchString(tag) {
		c.add(fault.Invalid(field, "must be a BCP 47 language tag such as en or pt-BR"))
	}
}

func (c *checks) oneOf(field, value string, values []string) {
	if !slices.Contains(values, value) {
		c.add(fault.Invalid(field, "must be one of %s", strings.Join(values, ", ")))
	}
}

func (c *checks) year(field string, year *int32) {
	if *year < MinYear || *year > MaxYear {
		c.add(fault.Invalid(field, "must be from %d to %d", MinYear, MaxYear))
	}
}

func (c *checks) grade(field string, g *Grade) {
	c.add(CheckLine(field+".company", g.Company, MaxGradeCompany))
	c.add(CheckLine(field+".value", g.Value, MaxGradeValue))
	if g.CertNumber != nil {
		c.add(CheckLine(field+".cert_number", *g.CertNumber, MaxCertNumber))
	}
}
