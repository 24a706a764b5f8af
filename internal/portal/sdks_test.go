package portal

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// block matches a block of code in Markdown.
var block = regexp.MustCompile("(?s)```(go|ts|python|sh)\n.*?```\n")

// The examples of the guide are those of the READMEs, which the tests of each SDK run against the service.
func TestSDKs_ExamplesOfReadmes(t *testing.T) {
	t.Parallel()
	var readmes strings.Builder
	for _, language := range []string{"go", "typescript", "python"} {
		readme, err := os.ReadFile("../../gen/client/" + language + "/README.md")
		if err != nil {
			t.Fatal(err)
		}
		readmes.Write(readme)
	}
	examples := block.FindAllString(guide(t, "sdks.md"), -1)
	for _, example := range examples {
		if !strings.Contains(readmes.String(), example) {
			t.Errorf("no README has this example of sdks.md:\n%s", example)
		}
	}
	if len(examples) != 6 {
		t.Errorf("got %d examples, want 6", len(examples))
	}
}
