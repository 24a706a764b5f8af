package exports

import (
	"fmt"
	"io"
	"strings"
	"time"
)

const readmeHead = `Everything that the account %s had in CardVault.

The export was asked for on %s. What was added while it was written may be missing.

`

const readmeTail = `
The files that end in .jsonl have one JSON object in each line, newest first, in the shape of the API's objects
(see /docs and /openapi/v1.yaml at the address of the service). Amounts are in minor units: 1250 is $12.50. The
addresses of photos work for a day or two; the photos themselves are in the folder photos.

Not included are the tokens of programs and the secrets of webhooks, which are shown only once, and what the service
keeps for itself: deliveries of webhooks, jobs and the audit log.
`

// writeReadme lists the files of an archive and their sizes.
func writeReadme(to io.Writer, a *archive) error {
	var text strings.Builder
	fmt.Fprintf(&text, readmeHead, a.account, a.at.UTC().Format(time.RFC1123))
	for _, p := range a.parts {
		fmt.Fprintf(&text, "%-18s %8d  %s\n", p.name, p.count, p.meaning)
	}
	if a.missing > 0 {
		fmt.Fprintf(&text, "\nPhotos that were deleted or replaced while the export was written: %d.\n", a.missing)
	}
	text.WriteString(readmeTail)
	_, err := io.WriteString(to, text.String())
	return err
}
