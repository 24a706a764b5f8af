package csvfile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// MaxProblems is the number of problems of a file that are kept. Further ones are only counted.
const MaxProblems = 100

// Problem describes an error in a row.
type Problem struct {
	// Line is the first line of the row in the file, from 1, or 0 for the whole file.
	Line int
	// Column is the column's name in the file, or "".
	Column  string
	Message string
}

// String returns the problem as one line: "line 12, Condition: …".
func (p Problem) String() string {
	switch {
	case p.Line == 0:
		return p.Message
	case p.Column == "":
		return fmt.Sprintf("line %d: %s", p.Line, p.Message)
	}
	return fmt.Sprintf("line %d, %s: %s", p.Line, p.Column, p.Message)
}

// Problems is the error of a file that cannot be imported.
type Problems struct {
	// List contains the first MaxProblems problems, ordered by line.
	List []Problem
	// Total is the number of all problems.
	Total int
}

// Error returns the only problem, or the number of problems and the first one.
func (p *Problems) Error() string {
	if p.Total == 1 {
		return p.List[0].String()
	}
	return fmt.Sprintf("the file has %d problems, the first: %s", p.Total, p.List[0])
}

// add adds a problem.
func (p *Problems) add(line int, column, message string, args ...any) {
	p.Total++
	if len(p.List) < MaxProblems {
		p.List = append(p.List, Problem{line, column, fmt.Sprintf(message, args...)})
	}
}

// err returns p, ordered by line, or nil if there are no problems.
func (p *Problems) err() error {
	if p.Total == 0 {
		return nil
	}
	slices.SortStableFunc(p.List, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return p
}

// one returns an error with a single problem.
func one(line int, message string, args ...any) error {
	var p Problems
	p.add(line, "", message, args...)
	return p.err()
}

// isProblems reports whether err is about the file's content.
func isProblems(err error) bool {
	var p *Problems
	return errors.As(err, &p)
}
