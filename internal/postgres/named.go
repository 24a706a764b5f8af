package postgres

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// NamedQuery is a query whose parameters have names, such as @account, for statements with many parameters and for
// statements that share parts. An @ only begins parameters.
type NamedQuery struct {
	text  string // with $1, $2 and so on
	names []string
}

// NamedArgs are the values of parameters, by name. A query need not use every name.
type NamedArgs map[string]any

// NewNamedQuery parses a query for a variable of a package. It panics if an @ does not begin a parameter.
func NewNamedQuery(query string) NamedQuery {
	config, err := parseQuery(query, '@', "abcdefghijklmnopqrstuvwxyz_")
	if err != nil {
		panic(err)
	}
	var q NamedQuery
	var text strings.Builder
	for i, name := range config.parameters {
		at := slices.Index(q.names, name)
		if at < 0 {
			at = len(q.names)
			q.names = append(q.names, name)
		}
		text.WriteString(config.texts[i])
		text.WriteString("$" + strconv.Itoa(at+1))
	}
	text.WriteString(config.texts[len(config.parameters)])
	q.text = text.String()
	return q
}

// Bind returns the text of the query for PostgreSQL and the values of its parameters, in order. It panics if args lacks
// a value.
func (q NamedQuery) Bind(args NamedArgs) (text string, values []any) {
	values = make([]any, len(q.names))
	for i, name := range q.names {
		value, ok := args[name]
		if !ok {
			panic(fmt.Sprintf("postgres: no value for @%s of %q", name, q.text))
		}
		values[i] = value
	}
	return q.text, values
}
