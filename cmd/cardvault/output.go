package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// terminal holds the outputs of a command: results go to out, everything else to err.
type terminal struct{ out, err io.Writer }

// output is embedded by commands whose result can be JSON.
type output struct {
	JSON bool `name:"json" help:"Print one JSON object and nothing else."`
}

// print writes value as one JSON object, or the text for people.
func (o output) print(t *terminal, value any, text string) error {
	if !o.JSON {
		_, err := fmt.Fprintln(t.out, text)
		return err
	}
	return json.NewEncoder(t.out).Encode(value)
}

// list writes rows as {"data": […]}, or as a table with one line for each.
func list[T any](o output, t *terminal, rows []T, header string, line func(T) string) error {
	if o.JSON {
		if rows == nil {
			rows = []T{}
		}
		return json.NewEncoder(t.out).Encode(map[string]any{"data": rows})
	}
	table := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, header)
	for _, row := range rows {
		fmt.Fprintln(table, line(row))
	}
	return table.Flush()
}

// progress returns a function that shows progress as a bar with the label what. If err is not a terminal, the function
// does nothing.
func (t *terminal) progress(what string) func(done, total int) {
	f, ok := t.err.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return func(int, int) {}
	}
	bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(f), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
	return func(done, total int) {
		bar.ChangeMax(total)
		_ = bar.Set(done) // an error of the terminal does not stop the command
	}
}
