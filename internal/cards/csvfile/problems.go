package csvfile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// MaxProblems is how many problems of a file are kept; the others are only counted.
const MaxProblems = 100

// Problem says what is wrong with a row.
type Problem struct {
	// Line is where the row begins in the file, from 1; 0 if the whole file is meant.
	Line int
	// Column is the column's name as the file has it, or empty.
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

// Problems is the error of a file that cannot be imported as it is.
type Problems struct {
	// List holds the first MaxProblems problems in the order of lines.
	List []Problem
	// Total counts all of them.
	Total int
}

// Error returns the only problem, or how many there are and the first.
func (p *Problems) Error() string {
	if p.Total == 1 {
		return p.List[0].String()
	}
	return fmt.Sprintf("the file has %d problems, the first: %s", p.Total, p.List[0])
}

// add notes a problem.
func (p *Problems) add(line int, column, message string, args ...any) {
	p.Total++
	if len(p.List) < MaxProblems {
		p.List = append(p.List, Problem{line, column, fmt.Sprintf(message, args...)})
	}
}

// err returns p, in the order of lines, if there are any problems.
func (p *Problems) err() error {
	if p.Total == 0 {
		return nil
	}
	slices.SortStableFunc(p.List, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return p
}

// one returns the error of a single problem.
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
