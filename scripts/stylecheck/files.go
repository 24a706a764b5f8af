package main

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	maxColumns = 120
	tabColumns = 4
)

// skippedFolders hold files that are not written by hand or must not change. Their names are paths, or names at any
// depth.
var skippedFolders = map[string]bool{
	".git": true, ".data": true, "node_modules": true, "testdata": true, "openapi/released": true,
}

// documents are checked as a whole: files of these extensions and names.
var documents = map[string]bool{".md": true, ".sh": true, ".yaml": true, "Makefile": true}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// checkFiles checks all files below a folder.
func checkFiles(root fs.FS) ([]finding, error) {
	var findings []finding
	err := walk(root, func(name string, text []byte) error {
		switch {
		case isDocument(name):
			findings = append(findings, checkWords(name, 1, string(text))...)
		case !generated.Match(text):
			findings = append(findings, checkGo(name, text)...)
		}
		return nil
	})
	return findings, err
}

// isDocument tells whether a file is a document, by its name.
func isDocument(name string) bool {
	return documents[path.Ext(name)] || documents[path.Base(name)]
}

// walk calls visit with each Go file and document below a folder, except in skippedFolders.
func walk(root fs.FS, visit func(name string, text []byte) error) error {
	return fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if skippedFolders[name] || skippedFolders[d.Name()] {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || path.Ext(name) != ".go" && !isDocument(name) {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		return visit(name, text)
	})
}

// checkGo checks a Go file.
func checkGo(name string, text []byte) []finding {
	findings := checkLength(name, string(text))
	if strings.HasSuffix(name, "_test.go") {
		findings = append(findings, checkTestNames(name, string(text))...)
	}
	return append(findings, checkProse(name, text)...)
}

// checkLength finds long lines.
func checkLength(name, text string) []finding {
	var findings []finding
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSuffix(line, "\n")
		columns := utf8.RuneCountInString(line) + (tabColumns-1)*strings.Count(line, "\t")
		if columns > maxColumns {
			findings = append(findings, finding{"length", name, number, "line has more than 120 columns"})
		}
	}
	return findings
}

// checkProse finds banned phrases in comments and in strings that contain a space: others are names and values.
func checkProse(name string, text []byte) []finding {
	var findings []finding
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile(name, files.Base(), len(text))
	s.Init(file, text, nil, scanner.ScanComments)
	for {
		pos, kind, literal := s.Scan()
		if kind == token.EOF {
			return findings
		}
		if kind == token.COMMENT || kind == token.STRING && strings.Contains(literal, " ") {
			findings = append(findings, checkWords(name, file.Line(pos), literal)...)
		}
	}
}

// testFunction matches the name of a test.
var testFunction = regexp.MustCompile(`(?m)^func (Test\w*)\(\w+ \*testing\.T\)`)

// testName matches TestSubject and TestSubject_Case.
var testName = regexp.MustCompile(`^Test(?:[A-Z][A-Za-z0-9]*)(?:_[A-Z][A-Za-z0-9]*)?$`)

// word matches a part of an identifier in camel case.
var word = regexp.MustCompile(`[A-Z]+[a-z0-9]*`)

// maxSubjectWords is how many words name a subject, such as a type and its method. More words are a sentence.
const maxSubjectWords = 4

// checkTestNames finds tests whose name is not a subject, or a subject and a case.
func checkTestNames(name, text string) []finding {
	var findings []finding
	for _, m := range testFunction.FindAllStringSubmatchIndex(text, -1) {
		test := text[m[2]:m[3]]
		subject, _, _ := strings.Cut(strings.TrimPrefix(test, "Test"), "_")
		if testName.MatchString(test) && len(word.FindAllString(subject, -1)) <= maxSubjectWords {
			continue
		}
		line := 1 + strings.Count(text[:m[0]], "\n")
		findings = append(findings, finding{"names", name, line, "want TestSubject or TestSubject_Case, got " + test})
	}
	return findings
}
