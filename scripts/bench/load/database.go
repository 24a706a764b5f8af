package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
)

// content is the content of a new database.
type content string

const (
	copied content = "copied" // a copy of the database in whose cluster it is
	empty  content = "empty"  // no tables
)

// createDatabase creates a database in the cluster of another one and returns its address and a function that drops it.
// A database that is copied must have no connections.
func createDatabase(ctx context.Context, other, name string, with content) (copyURL string, drop func(), err error) {
	original, err := url.Parse(other)
	if err != nil {
		return "", nil, err
	}
	maintenance, address := *original, *original
	maintenance.Path, address.Path = "/postgres", "/"+name
	db, err := sql.Open("postgres", maintenance.String())
	if err != nil {
		return "", nil, err
	}
	template := "template1"
	if with == copied {
		template = original.Path[1:]
	}
	for _, statement := range []string{
		`DROP DATABASE IF EXISTS ` + name,
		`CREATE DATABASE ` + name + ` TEMPLATE "` + template + `"`,
		`CHECKPOINT`, // so that the measurement does not wait until the copy is on disk
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			db.Close()
			return "", nil, err
		}
	}
	return address.String(), func() {
		if _, err := db.Exec(`DROP DATABASE ` + name); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
		db.Close()
	}, nil
}
