package apitest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// NoOperation is the operation of responses for paths and methods that the contract does not define.
const NoOperation = "-"

// Response identifies a response of the contract: an operation, a status and, for errors, a code.
type Response struct {
	Version   string // "v1"
	Operation string // "getCard", or NoOperation
	Status    int
	Code      string // "card_not_found"; empty for success, except for the error of an item
}

// String returns the response as one line: "v1 getCard 404 card_not_found".
func (r Response) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %d %s", r.Version, r.Operation, r.Status, r.Code))
}

func parseResponse(line string) (Response, error) {
	fields := strings.Fields(line)
	if len(fields) != 3 && len(fields) != 4 {
		return Response{}, fmt.Errorf("%q is not an operation with a status", line)
	}
	status, err := strconv.Atoi(fields[2])
	if err != nil {
		return Response{}, fmt.Errorf("%q is not an operation with a status: %w", line, err)
	}
	return Response{fields[0], fields[1], status, strings.Join(fields[3:], "")}, nil
}

// Promised returns all responses that the contracts document, sorted.
func Promised() ([]Response, error) {
	promised := map[Response]bool{}
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

// promise adds the responses of the operation with the status.
func (d document) promise(operation *openapi3.Operation, status string, promised map[Response]bool) error {
	number, err := strconv.Atoi(status)
	if err != nil {
		return fmt.Errorf("%s documents the status %q: list each status separately", operation.OperationID, status)
	}
	if number < 400 {
		promised[Response{d.version, operation.OperationID, number, ""}] = true
		return nil
	}
	codes := codesOf(operation, status)
	if len(codes) == 0 {
		return fmt.Errorf("%s documents %s without x-error-codes", operation.OperationID, status)
	}
	for _, code := range codes {
		promised[Response{d.version, operation.OperationID, number, code}] = true
	}
	return nil
}

// codesOf returns the error codes of an operation for a status: its own list, or else the codes of the referenced
// response.
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

// Codes returns the values of ErrorCode in v1.
func Codes() []string { return texts(v1().spec.Components.Schemas["ErrorCode"].Value.Enum) }

// itemCodesIn returns the codes of the errors of the items in the body of a list.
func itemCodesIn(body []byte) (codes []string) {
	var list struct {
		Data []struct{ Error struct{ Code string } }
	}
	if json.Unmarshal(body, &list) != nil { // no list
		return nil
	}
	for _, item := range list.Data {
		if item.Error.Code != "" {
			codes = append(codes, item.Error.Code)
		}
	}
	return codes
}

// codeIn returns the code in the body of an error, or "".
func codeIn(body []byte) string {
	var envelope struct{ Error struct{ Code string } }
	_ = json.Unmarshal(body, &envelope) // Validate reports invalid bodies
	return envelope.Error.Code
}
