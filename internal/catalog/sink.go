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
	ctx    context.Context
	format Format
	path   string
	// language filters the import. It is also the language of cards without one. "" imports all languages.
	language string
	others   int // number of cards in other languages
	rows     int
	report   *Report
	tick     func() // reports progress; may be nil
	yield    func([]any) bool
	problem  string // the first problem
}

// tickRows is the number of rows after which the sink reports progress and checks the context.
const tickRows = 256

// card validates a card and passes it on, unless it is in another language than the one to import. line is the line on
// which the card begins, and where is the name of the file, or "" if the catalogue is a single file.
func (s *sink) card(where string, line int, c Card) error {
	if c.Language == "" {
		c.Language = s.language
	}
	if s.language != "" && !sameLanguage(s.language, c.Language) {
		s.others++
		return nil
	}
	c, err := check(c)
	if err != nil {
		return s.skip(where, line, err.Error())
	}
	return s.row(append([]any{s.rows, where, line}, cardValues(c)...))
}

// row passes a row on.
func (s *sink) row(values []any) error {
	if err := s.count(); err != nil {
		return err
	}
	if !s.yield(values) {
		return errStopped
	}
	return nil
}

// skip counts and reports an invalid row.
func (s *sink) skip(where string, line int, message string) error {
	s.report.skip(where, line, message)
	if s.problem == "" {
		s.problem = fmt.Sprintf("line %d: %s", line, withFile(where, message))
	}
	return s.count()
}

func (s *sink) count() error {
	if s.rows++; s.rows%tickRows != 0 {
		return nil
	}
	if s.tick != nil {
		s.tick()
	}
	return s.ctx.Err()
}

// finish returns a fault if there are no rows or only invalid ones, because the user probably chose the wrong file.
func (s *sink) finish() error {
	s.report.Read = s.rows
	switch {
	case s.rows == 0 && s.others > 0:
		return fault.New(fault.InvalidRequest, "%s has no card in the language %s", s.path, s.language)
	case s.rows == 0:
		return notOfFormat(s.path, s.format, errors.New("it has no rows"))
	case s.rows == s.report.Skipped:
		return fault.New(fault.InvalidRequest,
			"%s has no valid row of the format %s; the first problem: %s. Expected %s",
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

// withFile adds the name of the file to a message, if there is one.
func withFile(where, message string) string {
	if where == "" {
		return message
	}
	return where + ": " + message
}
