package portal

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// block is a block of code in Markdown.
var block = regexp.MustCompile("(?s)```(go|ts|python|sh)\n.*?```\n")

// TestSDKs_ExamplesAreTheirReadmes: the READMEs' examples are run against the service by each SDK's own tests.
func TestSDKs_ExamplesAreTheirReadmes(t *testing.T) {
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
		t.Errorf("%d examples, want 6", len(examples))
	}
}
