package main

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// exceptionsFile lists the packages that are over a limit, with their figures. It only ever shrinks.
const exceptionsFile = "scripts/stylecheck/exceptions.txt"

const exceptionsHead = `# Packages that exceed a limit of stylecheck, with how often each construction may occur.
# Figures and lines only go down: go run ./scripts/stylecheck -update writes lower ones.
# "/..." means a package and those below it, together.
# package "that of" "what is" "of which" participles errors
`

// exception is how often a package, or a tree of packages, may use each construction.
type exception struct {
	counts [constructionCount]int
}

// readExceptions returns the exceptions by package.
func readExceptions() (map[string]exception, error) {
	text, err := os.ReadFile(exceptionsFile)
	if err != nil {
		return nil, err
	}
	return parseExceptions(string(text))
}

// parseExceptions returns the exceptions of a text, by package.
func parseExceptions(text string) (map[string]exception, error) {
	exceptions := map[string]exception{}
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		if len(fields) != 1+constructionCount {
			return nil, fmt.Errorf("%s: want a package and %d figures: %q",
				exceptionsFile, constructionCount, lines.Text())
		}
		var e exception
		for i, field := range fields[1:] {
			count, err := strconv.Atoi(field)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", exceptionsFile, err)
			}
			e.counts[i] = count
		}
		exceptions[fields[0]] = e
	}
	return exceptions, nil
}

// exceptionOf returns the name of the exception that covers a package, or "".
func exceptionOf(name string, exceptions map[string]exception) string {
	if _, ok := exceptions[name]; ok {
		return name
	}
	for tree := name; ; {
		if _, ok := exceptions[tree+"/..."]; ok {
			return tree + "/..."
		}
		end := strings.LastIndexByte(tree, '/')
		if end < 0 {
			return ""
		}
		tree = tree[:end]
	}
}

// byException adds up the figures of the packages that share an exception. Other packages keep their own.
func byException(packages map[string]*figures, exceptions map[string]exception) map[string]*figures {
	sums := map[string]*figures{}
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		key := exceptionOf(name, exceptions)
		if key == "" {
			key = name
		}
		if sums[key] == nil {
			sums[key] = &figures{}
		}
		sums[key].merge(packages[name])
	}
	return sums
}

// checkConstructions finds the constructions of packages that exceed a limit and, if they are an exception, have more
// than that allows.
func checkConstructions(packages map[string]*figures, exceptions map[string]exception) []finding {
	sums := byException(packages, exceptions)
	var findings []finding
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		f, exception := sums[name], exceptions[name]
		for kind, c := range constructions {
			if !f.exceeds(kind) || f.counts[kind] <= exception.counts[kind] {
				continue
			}
			findings = append(findings, f.places[kind]...)
			message := fmt.Sprintf("%d × %s, want at most %d in 1,000 %s or %d",
				f.counts[kind], c.name, c.limit, c.per, exception.counts[kind])
			findings = append(findings, finding{"constructions", name, 0, message})
		}
	}
	return findings
}

// lower returns the exceptions with the figures that packages have now, where these are lower. Packages that exceed no
// limit are left out.
func lower(packages map[string]*figures, exceptions map[string]exception) map[string]exception {
	rest := map[string]exception{}
	for name, f := range byException(packages, exceptions) {
		e, ok := exceptions[name]
		exceeds := false
		for kind := range e.counts {
			e.counts[kind] = min(e.counts[kind], f.counts[kind])
			exceeds = exceeds || f.exceeds(kind)
		}
		if ok && exceeds {
			rest[name] = e
		}
	}
	return rest
}

// formatExceptions returns the text of the file of exceptions.
func formatExceptions(exceptions map[string]exception) string {
	var b strings.Builder
	b.WriteString(exceptionsHead)
	for _, name := range slices.Sorted(maps.Keys(exceptions)) {
		b.WriteString(name)
		for _, count := range exceptions[name].counts {
			fmt.Fprintf(&b, " %d", count)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
