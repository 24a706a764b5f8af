package catalog

import (
	"context"
	"errors"
	"fmt"

	"github.com/cardvault/cardvault/internal/fault"
)

// errStopped means that the sink accepts no more rows. The reader of the sink has the cause.
var errStopped = errors.New("catalog: the import stopped")

// sink receives rows from a parser, counts and validates them, and passes them on.
type sink struct {
	ctx     context.Context
	format  Format
	path    string
	rows    int
	report  *Report
	tick    func()
	yield   func([]any) bool
	problem string // the first one, for a file of which no row is usable
}

// ticks is after how many rows progress is told and the context looked at.
const ticks = 256

// card takes a card that begins on line of the file named by where ("" if there is but one).
func (s *sink) card(where string, line int, c Card) error {
	c, err := check(c)
	if err != nil {
		return s.skip(where, line, err.Error())
	}
	return s.row(append([]any{s.rows, where, line}, cardValues(c)...))
}

// row hands a row on.
func (s *sink) row(values []any) error {
	if err := s.count(); err != nil {
		return err
	}
	if !s.yield(values) {
		return errStopped
	}
	return nil
}

// skip counts a row that cannot be used and reports it.
func (s *sink) skip(where string, line int, message string) error {
	s.report.skip(where, line, message)
	if s.problem == "" {
		s.problem = fmt.Sprintf("line %d: %s", line, withFile(where, message))
	}
	return s.count()
}

func (s *sink) count() error {
	if s.rows++; s.rows%ticks != 0 {
		return nil
	}
	if s.tick != nil {
		s.tick()
	}
	return s.ctx.Err()
}

// finish returns a fault if there were no rows, or none that could be used: the file is another one
// than the user thinks.
func (s *sink) finish() error {
	s.report.Read = s.rows
	switch {
	case s.rows == 0:
		return notOfFormat(s.path, s.format, errors.New("it holds no row"))
	case s.rows == s.report.Skipped:
		return fault.New(fault.InvalidRequest, "%s has no usable row of the format %s; the first problem: %s. Expected %s",
			s.path, s.format, s.problem, expectations[s.format])
	}
	return nil
}

func (r *Report) skip(where string, line int, message string) {
	r.Skipped++
	if len(r.Problems) < maxProblems {
		r.Problems = append(r.Problems, RowProblem{Line: line, Message: withFile(where, message)})
	}
}

// withFile puts the name of a file of several in front of a message.
func withFile(where, message string) string {
	if where == "" {
		return message
	}
	return where + ": " + message
}
