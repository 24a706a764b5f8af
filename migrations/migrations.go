// Package migrations holds the schema's numbered steps, embedded into the program. A step that was
// released is never edited; a change is a new step.
package migrations

import "embed"

// Files are the steps, NNNN_name.sql, in goose's format.
//
//go:embed *.sql
var Files embed.FS
