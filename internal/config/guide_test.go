package config

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"testing"
)

// The help and the guide's table of settings list every variable, the table with its default, and no other variables.
func TestConfig_Described(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../openapi/guides/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{} // the default by variable
	row := regexp.MustCompile("(?m)^\\| `(CARDVAULT_[A-Z0-9_]+)` \\| ([^|]*) \\|")
	for _, match := range row.FindAllStringSubmatch(string(guide), -1) {
		rows[match[1]] = match[2]
	}
	var known []string
	fields := reflect.TypeFor[Config]()
	for i := range fields.NumField() {
		tag := fields.Field(i).Tag
		variable := tag.Get("env")
		if variable == "" { // not a setting
			continue
		}
		known = append(known, variable)
		shown, listed := rows[variable]
		if !listed {
			t.Errorf("configuration.md does not list %s", variable)
		}
		if value := tag.Get("default"); value != "" && shown != "`"+value+"`" {
			t.Errorf("default of %s in configuration.md: got %s, want `%s`", variable, shown, value)
		}
		if describe(variable) == "" {
			t.Errorf("help.go does not describe %s", variable)
		}
	}
	for variable := range help {
		if !slices.Contains(known, variable) {
			t.Errorf("help.go describes %s, which does not exist", variable)
		}
	}
	for variable := range rows {
		if !slices.Contains(known, variable) {
			t.Errorf("configuration.md lists %s, which does not exist", variable)
		}
	}
}
