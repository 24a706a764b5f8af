// Package migrations embeds the migrations of the database's schema. A released migration is never edited: a change of
// the schema is a new migration. The package does not apply them; see package postgres.
package migrations

import "embed"

// Files has the migrations, NNNN_name.sql, in goose's format.
//
//go:embed *.sql
var Files embed.FS
