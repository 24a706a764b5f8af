// Command importcheck checks the imports between the packages of this module against the layers in rules.go:
//
//	program (cmd, scripts) → edge (api, portal, demo) → domain → ground
//
// A package imports its own layer and those below. Edges do not import one another, generated code is imported by the
// API versions only, and a package that rules.go does not name is an error, as is a name without a package. Imports of
// tests are not checked. Usage, in the module's root: go run ./scripts/importcheck
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
	packages, err := list("./...")
	if err != nil {
		fmt.Fprintln(os.Stderr, "importcheck:", err)
		os.Exit(1)
	}
	problems := check(packages)
	for _, problem := range problems {
		fmt.Fprintln(os.Stderr, "importcheck:", problem)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
}

// list returns the packages that a pattern matches.
func list(pattern string) ([]pkg, error) {
	command := exec.Command("go", "list", "-json=ImportPath,Imports,Module", pattern)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []pkg
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, p)
	}
}

// check returns a message for each package without a layer, each forbidden import and each rule without a package.
func check(packages []pkg) []string {
	var problems []string
	present := map[string]bool{}
	for _, p := range packages {
		from := strings.TrimPrefix(p.ImportPath, p.Module.Path+"/")
		present[from] = true
		if layerOf(from) == unknown {
			problems = append(problems, from+" has no layer: name it in scripts/importcheck/rules.go")
			continue
		}
		for _, path := range p.Imports {
			if reason := forbiddenStandard(from, path); reason != "" {
				problems = append(problems, fmt.Sprintf("%s imports %s: %s", from, path, reason))
			}
			to, local := strings.CutPrefix(path, p.Module.Path+"/")
			if !local || layerOf(to) == unknown {
				continue
			}
			if reason := forbidden(from, to); reason != "" {
				problems = append(problems, fmt.Sprintf("%s imports %s: %s", from, to, reason))
			}
		}
	}
	for _, name := range named() {
		if !present[name] {
			problems = append(problems, name+" is named in scripts/importcheck/rules.go and is no package")
		}
	}
	return problems
}
