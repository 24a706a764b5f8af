package cards

import "reflect"

// FilterField is a condition of a Filter.
type FilterField struct {
	Name    string   // of the query parameter, and of the field of a job's filter
	Choices []string // the values that can be chosen; nil for any

	index int // of the field of Filter
}

// FilterFields lists the conditions of a Filter. All code that reads or shows every condition iterates over this list.
var FilterFields = filterFields()

func filterFields() (list []FilterField) {
	choices := map[string][]string{
		"status": names(Statuses), "game": Games, "condition": Conditions,
		"identification": names(identificationStatuses),
	}
	filter := reflect.TypeFor[Filter]()
	for i := range filter.NumField() {
		if name := filter.Field(i).Tag.Get("filter"); name != "" {
			list = append(list, FilterField{name, choices[name], i})
		}
	}
	return list
}

// FilterNamed returns the condition with a name, which must exist.
func FilterNamed(name string) *FilterField {
	for i := range FilterFields {
		if FilterFields[i].Name == name {
			return &FilterFields[i]
		}
	}
	panic("cards: no filter is named " + name)
}

func names[T ~string](list []T) []string {
	texts := make([]string, len(list))
	for i, name := range list {
		texts[i] = string(name)
	}
	return texts
}

// Text returns the condition of a filter if it is a text, otherwise nil.
func (c *FilterField) Text(f *Filter) **string {
	text, _ := c.Pointer(f).(**string)
	return text
}

// Pointer returns a pointer to the condition of a filter.
func (c *FilterField) Pointer(f *Filter) any {
	return reflect.ValueOf(f).Elem().Field(c.index).Addr().Interface()
}
