package config

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"testing"
)

// The guide's table of settings is complete: every variable with its default, and no variable that does
// not exist.
func TestConfig_GuideListsEverySetting(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../openapi/guides/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{} // the default by variable
	for _, row := range regexp.MustCompile("(?m)^\\| `(CARDVAULT_[A-Z0-9_]+)` \\| ([^|]*) \\|").FindAllStringSubmatch(string(guide), -1) {
		rows[row[1]] = row[2]
	}
	var known []string
	fields := reflect.TypeFor[Config]()
	for i := range fields.NumField() {
		tag := fields.Field(i).Tag
		variable := tag.Get("env")
		known = append(known, variable)
		shown, listed := rows[variable]
		if !listed {
			t.Errorf("configuration.md does not list %s", variable)
		}
		if value := tag.Get("default"); value != "" && shown != "`"+value+"`" {
			t.Errorf("configuration.md says that %s is %s by default, it is %s", variable, shown, value)
		}
	}
	for variable := range rows {
		if !slices.Contains(known, variable) {
			t.Errorf("configuration.md lists %s, which does not exist", variable)
		}
	}
}
