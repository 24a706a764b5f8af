package contract_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// checkout copies what a release works with, in a path with a space, without what has been released so far.
func checkout(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "check out")
	if err := os.MkdirAll(filepath.Join(root, "scripts"), 0o700); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		"../../openapi": "openapi", "../contract": "scripts/contract",
		"../release-contract.sh": "scripts/release-contract.sh",
		"../lib.sh":              "scripts/lib.sh",
		"../../go.mod":           "go.mod", "../../go.sum": "go.sum",
	} {
		if output, err := exec.Command("cp", "-r", from, filepath.Join(root, to)).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, output)
		}
	}
	if err := os.RemoveAll(filepath.Join(root, "openapi/released")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "openapi/released"), 0o700); err != nil {
		t.Fatal(err)
	}
	replaceFile(t, root, "openapi/changelog.md", func(string) string { return "# Changelog\n\n## Unreleased\n" })
	return root
}

func readFile(t *testing.T, root, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func replaceFile(t *testing.T, root, path string, change func(string) string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, path), []byte(change(readFile(t, root, path))), 0o600); err != nil {
		t.Fatal(err)
	}
}

// edit changes one text of today's contract.
func edit(t *testing.T, root, old, new string) {
	t.Helper()
	replaceFile(t, root, "openapi/v1.yaml", func(text string) string {
		if strings.Count(text, old) != 1 {
			t.Fatalf("openapi/v1.yaml has %q %d times", old, strings.Count(text, old))
		}
		return strings.Replace(text, old, new, 1)
	})
}

// pass and refuse run a script that must end so; refuse wants it to say something, and to have changed nothing.
func pass(t *testing.T, root, script string, args ...string) {
	t.Helper()
	if code, said := run(t, root, script, args...); code != 0 {
		t.Fatalf("%s %v: exit code %d: %s", script, args, code, said)
	}
}

func refuse(t *testing.T, root, says, script string, args ...string) {
	t.Helper()
	state := func() string {
		list, err := filepath.Glob(filepath.Join(root, "openapi/released/*"))
		if err != nil {
			t.Fatal(err)
		}
		return readFile(t, root, "openapi/v1.yaml") + readFile(t, root, "openapi/changelog.md") +
			strings.Join(list, " ")
	}
	before := state()
	if code, said := run(t, root, script, args...); code == 0 || !strings.Contains(said, says) {
		t.Errorf("%s %v: exit code %d, want a refusal that says %q: %s", script, args, code, says, said)
	}
	if state() != before {
		t.Errorf("%s %v was refused and changed something", script, args)
	}
}

func TestRelease(t *testing.T) {
	t.Parallel()
	root := checkout(t)
	const script = "scripts/release-contract.sh"
	pass(t, root, "scripts/contract/breaking.sh")
	pass(t, root, script, "1.0.0", "2026-11-20")
	if readFile(t, root, "openapi/released/v1-1.0.0.yaml") != readFile(t, root, "openapi/v1.yaml") {
		t.Error("what was released is not today's contract")
	}
	pass(t, root, "scripts/contract/changelog.sh", "check")
	for _, version := range []string{"1.0.0", "0.9.0"} {
		refuse(t, root, "1.0.0 has been released", script, version, "2026-12-01")
	}
	for _, version := range []string{"2.0.0", "1.0.0-rc1", "1.1"} {
		refuse(t, root, "no version of v1", script, version, "2026-12-01")
	}
	refuse(t, root, "no date", script, "1.1.0", "1 December")
	refuse(t, root, "usage", script)

	const input = "    BatchInput:\n      type: object\n      additionalProperties: false\n" +
		"      required: [name%s]\n      properties:\n"
	const colour = "        colour: {type: string, maxLength: 20, description: The colour.}\n"
	edit(t, root, fmt.Sprintf(input, ""), fmt.Sprintf(input, "")+colour)
	refuse(t, root, "run scripts/contract/changelog.sh", "scripts/contract/changelog.sh", "check")
	pass(t, root, "scripts/contract/changelog.sh")
	pass(t, root, "scripts/contract/changelog.sh", "check")
	pass(t, root, "scripts/contract/breaking.sh")
	pass(t, root, script, "1.10.0", "2026-12-01")
	if got := readFile(t, root, "openapi/changelog.md"); !strings.Contains(got,
		"## Unreleased\n\nNothing yet.\n\n## 1.10.0 (2026-12-01)\n\n### Added\n\n"+
			"- added the new optional request property `colour`: `POST /batches`\n\n## 1.0.0") ||
		!strings.HasSuffix(got, "\n## 1.0.0 (2026-11-20)\n\nThe first release.\n") {
		t.Errorf("the changelog is\n%s", got)
	}
	if got := readFile(t, root, "openapi/released/v1-1.10.0.yaml"); !strings.Contains(got, "\n  version: 1.10.0\n") ||
		got != readFile(t, root, "openapi/v1.yaml") {
		t.Error("what was released is not today's contract with its version")
	}
	refuse(t, root, "1.10.0 has been released", script, "1.9.0", "2026-12-02") // by number, not by letter

	edit(t, root, fmt.Sprintf(input, "")+colour, fmt.Sprintf(input, ", colour")+colour)
	refuse(t, root, "request-property-became-required", "scripts/contract/breaking.sh")
	refuse(t, root, "request-property-became-required", script, "1.11.0", "2026-12-02")
}
