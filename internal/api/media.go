package api

import (
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cardvault/cardvault/internal/fault"
)

const jsonType = "application/json"

// checkMediaType returns an error if the body has a media type that the operation does not accept, a character set
// other than UTF-8, or is compressed.
func (op *operation) checkMediaType(h http.Header) error {
	mediaType, parameters, err := mime.ParseMediaType(h.Get("Content-Type"))
	encoding := h.Get("Content-Encoding")
	charset := parameters["charset"]
	if err == nil && slices.Contains(op.mediaTypes, mediaType) &&
		(charset == "" || strings.EqualFold(charset, "utf-8")) &&
		(encoding == "" || strings.EqualFold(encoding, "identity")) {
		return nil
	}
	return fault.New(fault.UnsupportedMediaType, "Send the body as %s, uncompressed.",
		strings.Join(op.mediaTypes, " or "))
}

// acceptsJSON reports whether the Accept headers allow application/json. The most specific range that matches it
// decides (RFC 9110, section 12.5.1).
func acceptsJSON(accept []string) bool {
	ranges := strings.Join(accept, ",")
	if strings.TrimSpace(ranges) == "" {
		return true
	}
	best, allowed := 0, false
	for part := range strings.SplitSeq(ranges, ",") {
		mediaRange, parameters, _ := strings.Cut(part, ";")
		specificity := 0
		switch strings.ToLower(strings.TrimSpace(mediaRange)) {
		case jsonType:
			specificity = 3
		case "application/*":
			specificity = 2
		case "*/*":
			specificity = 1
		}
		if specificity > best {
			best, allowed = specificity, quality(parameters) > 0
		}
	}
	return allowed
}

// quality returns the weight in the parameters of a media range; the default is 1.
func quality(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if !strings.EqualFold(name, "q") {
			continue
		}
		if q, err := strconv.ParseFloat(value, 64); err == nil {
			return q
		}
	}
	return 1
}

func notAcceptable() error {
	return fault.New(fault.NotAcceptable,
		"This address answers application/json. Send Accept: application/json or leave it out.")
}
