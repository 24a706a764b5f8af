package portal

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	yaml "github.com/oasdiff/yaml3"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/openapi"
)

// placeholder matches a line such as <!-- generated: error-codes --> in a guide, which is replaced by a part that is
// generated from the contract. The part is Markdown and is rendered together with the guide.
var placeholder = regexp.MustCompile(`(?m)^<!-- generated: ([a-z-]+) -->$`)

var generators = map[string]func(*contract) (string, error){
	"error-codes":      errorCodes,
	"events":           eventKinds,
	"rate-classes":     rateClasses,
	"keyed-operations": keyedOperations,
}

// generate fills in the generated parts of a guide.
func (c *contract) generate(written []byte) ([]byte, error) {
	var firstErr error
	text := placeholder.ReplaceAllFunc(written, func(line []byte) []byte {
		name := string(placeholder.FindSubmatch(line)[1])
		generator, ok := generators[name]
		if !ok {
			firstErr = fmt.Errorf("there is no generator %q", name)
			return line
		}
		part, err := generator(c)
		if err != nil {
			firstErr = fmt.Errorf("%s: %w", name, err)
		}
		return []byte(part)
	})
	return text, firstErr
}

// advice is the entry of an error code in openapi/guides/error-codes.yaml.
type advice struct{ Meaning, Action string }

// advices returns the advice for each error code of the contract.
func (c *contract) advices() (map[string]advice, error) {
	written, err := openapi.Guides.ReadFile("guides/error-codes.yaml")
	if err != nil {
		return nil, err
	}
	var advices map[string]advice
	if err := yaml.Unmarshal(written, &advices); err != nil {
		return nil, err
	}
	for _, code := range c.codes {
		if advices[code].Meaning == "" || advices[code].Action == "" {
			return nil, fmt.Errorf("error-codes.yaml lacks the meaning or the action of %s", code)
		}
	}
	for code := range advices {
		if !slices.Contains(c.codes, code) {
			return nil, fmt.Errorf("error-codes.yaml has %s, which is not a code of the contract", code)
		}
	}
	return advices, nil
}

// errorCodes returns the table of all codes: the contract's list, the status of internal/fault, and advice.
func errorCodes(c *contract) (string, error) {
	advices, err := c.advices()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	out.WriteString("| Code | Status | What it means | What to do |\n|---|---|---|---|\n")
	for _, code := range c.codes {
		fmt.Fprintf(&out, "| <a id=%q></a>`%s` | %d | %s | %s |\n",
			code, code, fault.Code(code).Status(), advices[code].Meaning, advices[code].Action)
	}
	return out.String(), nil
}

// eventKinds returns a table of the events, and a section per event with its meaning and an example.
func eventKinds(c *contract) (string, error) {
	var table, sections strings.Builder
	table.WriteString("| Event | When |\n|---|---|\n")
	for _, kind := range c.kinds {
		envelope, err := c.event(kind)
		if err != nil {
			return "", err
		}
		body, err := example(envelope)
		if err != nil {
			return "", fmt.Errorf("%s: %w", kind, err)
		}
		when := strings.TrimSpace(envelope.Properties["data"].Value.Description)
		fmt.Fprintf(&table, "| [`%s`](#%s) | %s |\n", kind, slug(kind), when)
		fmt.Fprintf(&sections, "\n### %s\n\n%s [Fields of %s](%s#v1/webhook/%s)\n\n```json\n%s```\n",
			kind, when, kind, referencePath, kind, body)
	}
	return table.String() + sections.String(), nil
}

// rateClasses returns a table of the rate limit classes, their limits and their operations.
func rateClasses(c *contract) (string, error) {
	var out strings.Builder
	out.WriteString("| Class | Requests a minute | Operations |\n|---|---|---|\n")
	for _, class := range []ratelimit.Class{ratelimit.Read, ratelimit.Write, ratelimit.AI} {
		var calls []string
		for _, o := range c.operations {
			if o.Class == string(class) {
				calls = append(calls, o.link())
			}
		}
		fmt.Fprintf(&out, "| %s | %d | %s |\n", class, ratelimit.Defaults.Of(class), strings.Join(calls, ", "))
	}
	return out.String(), nil
}

// keyedOperations lists the operations that take an Idempotency-Key.
func keyedOperations(c *contract) (string, error) {
	var out strings.Builder
	for _, o := range c.operations {
		if slices.Contains(o.Parameters, "Idempotency-Key") {
			fmt.Fprintf(&out, "- %s: %s\n", o.link(), strings.ToLower(o.Summary[:1])+o.Summary[1:])
		}
	}
	return out.String(), nil
}

// link returns a link to the operation in Markdown.
func (o operation) link() string { return fmt.Sprintf("[`%s`](%s)", o.call(), o.address()) }
