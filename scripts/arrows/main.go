// Command arrows fails where a package imports one that it must not know:
//
//	edges (api, dashboard, portal, cmd, scripts) → domain → ground
//
// never upward, never edge to edge (only programs wire edges), generated code at the API's edge alone. It looks at what
// goes into the program; tests may import what they like. Usage, in the module: go run ./scripts/arrows ./...
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// pkg is the part of `go list -json` that the rules need.
type pkg struct {
	ImportPath string
	Imports    []string
	Module     *struct{ Path string }
}

func main() {
	packages, err := list(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "arrows:", err)
		os.Exit(1)
	}
	broken := 0
	for _, p := range packages {
		module := p.Module.Path + "/"
		from := strings.TrimPrefix(p.ImportPath, module)
		for _, imported := range p.Imports {
			to, ours := strings.CutPrefix(imported, module)
			if !ours {
				continue
			}
			if reason := forbidden(from, to); reason != "" {
				fmt.Fprintf(os.Stderr, "arrows: %s imports %s: %s\n", from, to, reason)
				broken++
			}
		}
	}
	if broken > 0 {
		os.Exit(1)
	}
}

// list describes the packages that match the patterns.
func list(patterns []string) ([]pkg, error) {
	command := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,Module"}, patterns...)...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("list: %w", err)
	}
	var packages []pkg
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("list: %w", err)
		}
		packages = append(packages, p)
	}
}
