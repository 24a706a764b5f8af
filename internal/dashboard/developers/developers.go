package developers

import (
	"bytes"
	"encoding/json"
)

// rowsPerPage is the number of rows of the lists for developers.
const rowsPerPage = 50

// formatJSON indents JSON, or returns it as it is if it is not valid.
func formatJSON(text []byte) string {
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return string(text)
	}
	return out.String()
}
