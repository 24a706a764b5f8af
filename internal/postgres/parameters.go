package postgres

import (
	"fmt"
	"strings"
)

// parsedQuery is a query, split at its parameters.
type parsedQuery struct {
	texts      []string // before, between and after the parameters; one more than parameters
	parameters []string // without the sign that begins them
}

// parseQuery splits a query at its parameters. sign begins a parameter, and the characters of its name follow. A sign
// in a literal or without a name is an error, because PostgreSQL would read it as something else than a parameter.
func parseQuery(query string, sign byte, characters string) (parsedQuery, error) {
	count := strings.Count(query, string(sign))
	p := parsedQuery{texts: make([]string, 0, count+1), parameters: make([]string, 0, count)}
	text := 0 // start of the text before the next parameter
	isLiteral := false
	for i := 0; i < len(query); i++ {
		if query[i] == '\'' {
			isLiteral = !isLiteral
		}
		if query[i] != sign {
			continue
		}
		rest := query[i+1:]
		name := rest[:len(rest)-len(strings.TrimLeft(rest, characters))]
		if isLiteral || name == "" {
			return parsedQuery{}, fmt.Errorf("postgres: %q at position %d is not a parameter of %q", sign, i+1, query)
		}
		p.texts, p.parameters = append(p.texts, query[text:i]), append(p.parameters, name)
		i += len(name)
		text = i + 1
	}
	p.texts = append(p.texts, query[text:])
	return p, nil
}
