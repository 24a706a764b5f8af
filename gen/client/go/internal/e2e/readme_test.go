//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// goBlocks returns the Go code in a Markdown file.
func goBlocks(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, match := range regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllSubmatch(text, -1) {
		blocks = append(blocks, string(match[1]))
	}
	if len(blocks) == 0 {
		t.Fatalf("%s has no Go code", path)
	}
	return blocks
}

// readme is the code of the README: programs, tests of the program before them, and fragments, which use client, ctx
// and id.
type readme struct{ programs, tests, fragments []string }

func readReadme(t *testing.T) readme {
	t.Helper()
	var r readme
	for _, block := range goBlocks(t, filepath.Join(moduleRoot, "README.md")) {
		switch {
		case strings.Contains(block, "func Test"):
			r.tests = append(r.tests, block)
		case strings.HasPrefix(block, "package main\n"):
			r.programs = append(r.programs, block)
		default:
			r.fragments = append(r.fragments, block)
		}
	}
	if len(r.programs) != 2 || len(r.tests) != 1 || len(r.fragments) < 6 {
		t.Fatalf("the README has %d programs, %d tests and %d fragments: want 2, 1 and at least 6",
			len(r.programs), len(r.tests), len(r.fragments))
	}
	return r
}

func TestReadme_FirstRequest(t *testing.T) {
	p := newProject(t)
	p.write("main.go", readReadme(t).programs[0])
	p.run("go", "vet", ".")
	lines := strings.Split(strings.TrimSpace(p.run("go", "run", ".")), "\n")
	if len(lines) != 5 || !strings.HasPrefix(lines[0], "card_") {
		t.Errorf("the program prints %q, want five cards", lines)
	}
}

// Each fragment runs in a function of its own.
func TestReadme_Fragments(t *testing.T) {
	fragments := readReadme(t).fragments
	p := newProject(t)
	p.write("main.go", program(fragments))
	p.write("front.jpg", string(picture(t)))
	p.write("back.jpg", string(picture(t)))
	p.run("go", "vet", ".")
	p.run("go", "build", "-o", "examples", ".")
	for i, fragment := range fragments {
		if printed := p.run("./examples", fmt.Sprint(i)); strings.TrimSpace(printed) == "" {
			t.Errorf("this fragment prints nothing:\n%s", fragment)
		}
	}
}

// program returns a program that runs the fragment whose index is its argument.
func program(fragments []string) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	code := strings.Join(fragments, "\n") + frame
	for _, path := range []string{"context", "errors", "fmt", "log", "net/http", "os", "strconv", "time"} {
		if strings.Contains(code, filepath.Base(path)+".") {
			fmt.Fprintf(&b, "\t%q\n", path)
		}
	}
	fmt.Fprintf(&b, "\n\tcardvault %q\n)\n%s\nvar examples = []example{\n", module, frame)
	for _, fragment := range fragments {
		b.WriteString("func(ctx context.Context, client *cardvault.Client, id string) error {\n")
		b.WriteString(fragment + "\nreturn nil\n},\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// frame is the program around the fragments of the README.
const frame = `
type example func(ctx context.Context, client *cardvault.Client, id string) error

func main() {
	client, err := cardvault.New(os.Getenv("API"), os.Getenv("TOKEN"))
	if err != nil {
		log.Fatal(err)
	}
	page, err := client.ListCards(context.Background(), &cardvault.ListCardsParams{Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	n, err := strconv.Atoi(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if err := examples[n](context.Background(), client, page.Data[0].ID); err != nil {
		log.Fatal(err)
	}
}
`
