package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// addLines adds the lines of product code by area, without empty ones, and the figures of comments and functions.
func addLines(t *table, dir string, packages []*pkg) {
	lines, comments, total := map[string]int{}, 0, 0
	var funcs []int
	for _, p := range packages {
		for _, f := range p.files {
			lines[areaOf(p.path)] += f.lines
			total += f.lines
			comments += f.comments
			funcs = append(funcs, f.funcs...)
		}
	}
	templates := templateLines(dir)
	slices.Sort(funcs)
	long := len(funcs) - slices.IndexFunc(append(funcs, 61), func(n int) bool { return n > 60 })
	t.add("lines of Go and templates", "%d", total+templates)
	t.add("lines of templates", "%d", templates)
	t.add("share of comments in Go", "%.1f %%", 100*float64(comments)/float64(total))
	t.add("functions: number, median, 90th percentile, longest, over 60 lines", "%d, %d, %d, %d, %d",
		len(funcs), funcs[len(funcs)/2], funcs[len(funcs)*9/10], funcs[len(funcs)-1], long)
	for _, area := range slices.Sorted(maps.Keys(lines)) {
		t.add("lines of "+area, "%d", lines[area])
	}
}

// areaOf returns the first two folders of a path.
func areaOf(path string) string {
	parts := strings.Split(path, "/")
	return strings.Join(parts[:min(len(parts), 2)], "/")
}

// templateLines counts the lines of the templates of the product.
func templateLines(dir string) (n int) {
	_ = filepath.WalkDir(filepath.Join(dir, "internal"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.Contains(path, "/testdata/") ||
			!slices.Contains([]string{".html", ".tmpl", ".templ"}, filepath.Ext(path)) {
			return err
		}
		source, err := os.ReadFile(path)
		for line := range strings.Lines(string(source)) {
			if strings.TrimSpace(line) != "" {
				n++
			}
		}
		return err
	})
	return n
}
