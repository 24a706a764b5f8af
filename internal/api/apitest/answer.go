package apitest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// NoOperation stands for the operation of an address or a method that the contract does not have.
const NoOperation = "-"

// Answer is a kind of answer: what an operation answers with a status and, if that is an error's, a code.
type Answer struct {
	Version   string // "v1"
	Operation string // "getCard", or NoOperation
	Status    int
	Code      string // "card_not_found"; empty for success
}

// String returns the answer as one line: "v1 getCard 404 card_not_found".
func (a Answer) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %d %s", a.Version, a.Operation, a.Status, a.Code))
}

func parseAnswer(line string) (Answer, error) {
	fields := strings.Fields(line)
	if len(fields) != 3 && len(fields) != 4 {
		return Answer{}, fmt.Errorf("%q is no answer", line)
	}
	status, err := strconv.Atoi(fields[2])
	if err != nil {
		return Answer{}, fmt.Errorf("%q is no answer: %w", line, err)
	}
	return Answer{fields[0], fields[1], status, strings.Join(fields[3:], "")}, nil
}

// Promised returns every answer that the contracts name, sorted.
func Promised() ([]Answer, error) {
	promised := map[Answer]bool{}
	for _, d := range []document{v1(), v2()} {
		for _, item := range d.spec.Paths.Map() {
			for _, operation := range item.Operations() {
				for status := range operation.Responses.Map() {
					if err := d.promise(operation, status, promised); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	return sorted(promised), nil
}

// promise adds what the operation may answer with the status.
func (d document) promise(operation *openapi3.Operation, status string, promised map[Answer]bool) error {
	number, err := strconv.Atoi(status)
	if err != nil {
		return fmt.Errorf("%s answers %q: each status is named by itself", operation.OperationID, status)
	}
	if number < 400 {
		promised[Answer{d.version, operation.OperationID, number, ""}] = true
		return nil
	}
	codes := codesOf(operation, status)
	if len(codes) == 0 {
		return fmt.Errorf("%s answers %s without x-error-codes", operation.OperationID, status)
	}
	for _, code := range codes {
		promised[Answer{d.version, operation.OperationID, number, code}] = true
	}
	return nil
}

// codesOf returns the codes of an operation's error: its own list or, without one, that of the response it refers to.
func codesOf(operation *openapi3.Operation, status string) []string {
	if own, ok := operation.Extensions["x-error-codes"].(map[string]any); ok && own[status] != nil {
		return texts(own[status])
	}
	response := operation.Responses.Value(status)
	if response == nil {
		return nil
	}
	return texts(response.Value.Extensions["x-error-codes"])
}

func texts(list any) []string {
	items, _ := list.([]any)
	all := make([]string, 0, len(items))
	for _, item := range items {
		all = append(all, fmt.Sprint(item))
	}
	return all
}

// Codes returns v1's ErrorCode, the codes that any answer may have.
func Codes() []string { return texts(v1().spec.Components.Schemas["ErrorCode"].Value.Enum) }

// codeIn returns the code of an error's body; empty if it has none.
func codeIn(body []byte) string {
	var envelope struct{ Error struct{ Code string } }
	_ = json.Unmarshal(body, &envelope) // what is wrong with the body is told by its validation
	return envelope.Error.Code
}
