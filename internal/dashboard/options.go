package dashboard

import (
	"slices"
	"strings"
)

// option is a value that can be chosen, and the text that stands for it.
type option struct{ Value, Label string }

// sameOptions returns options that are shown as they are.
func sameOptions(values []string) []option {
	return optionsOf(values, func(value string) string { return value })
}

// wordOptions returns options for names such as in_person, which are shown as words.
func wordOptions[T ~string](values []T) []option { return optionsOf(values, spaced) }

func optionsOf[T ~string](values []T, label func(string) string) []option {
	options := make([]option, len(values))
	for i, value := range values {
		options[i] = option{string(value), label(string(value))}
	}
	return options
}

// valuesOf returns the values of all options.
func valuesOf(options []option) string {
	values := make([]string, len(options))
	for i, o := range options {
		values[i] = o.Value
	}
	return strings.Join(values, ", ")
}

// labelOf returns the labels of a value, or of several that are separated by commas. A value that cannot be chosen
// stays as it is.
func labelOf(options []option, value string) string {
	if len(options) == 0 {
		return value
	}
	labels := strings.Split(value, ",")
	for i, one := range labels {
		if at := slices.IndexFunc(options, func(o option) bool { return o.Value == one }); at >= 0 {
			labels[i] = options[at].Label
		}
	}
	return strings.Join(labels, ", ")
}
