package marketplacetest_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/openapi"
)

var (
	goBlock = regexp.MustCompile("(?s)```go\n(.*?)```")
	comment = regexp.MustCompile(`(?m)^\s*//.*\n|^\s*\n`)
)

// The Go code of the guide is code that is compiled and tested, without its comments.
func TestGuide_ShowsTestedCode(t *testing.T) {
	t.Parallel()
	guide, err := openapi.Guides.ReadFile("guides/marketplace-adapters.md")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, file := range []string{"memory.go", "memory_test.go", "../marketplace.go"} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(comment.ReplaceAll(content, nil))
	}
	blocks := goBlock.FindAllSubmatch(guide, -1)
	if len(blocks) != 3 {
		t.Errorf("the guide has %d blocks of code, want 3", len(blocks))
	}
	for _, block := range blocks {
		if !strings.Contains(code.String(), string(block[1])) {
			t.Errorf("this code of the guide is not in the package:\n%s", block[1])
		}
	}
}
