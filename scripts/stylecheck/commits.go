package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"unicode/utf8"
)

// baseCommit is the last commit whose subject is not checked.
const baseCommit = "ed49eb1e78e7a9694bcfbb090f893bea9f9cf31b"

// maxSubject is the length of the longest subject that git and its web interfaces show whole.
const maxSubject = 72

// checkCommits checks the commits since baseCommit. It checks none where git, the repository or that commit is missing:
// in an archive and in a shallow clone.
func checkCommits() ([]finding, error) {
	// Without this setting git refuses to read a checkout of another user, as CI often has.
	git := func(arguments ...string) ([]byte, error) {
		return exec.Command("git", append([]string{"-c", "safe.directory=*"}, arguments...)...).Output()
	}
	if _, err := git("cat-file", "-e", baseCommit+"^{commit}"); err != nil {
		return nil, nil
	}
	log, err := git("log", "--no-merges", "--format=%h %s", baseCommit+"..HEAD")
	if err != nil {
		return nil, fmt.Errorf("git log: %w", err)
	}
	var findings []finding
	for line := range strings.Lines(string(log)) {
		hash, subject, _ := strings.Cut(strings.TrimSpace(line), " ")
		if problem := checkSubject(subject); problem != "" {
			findings = append(findings, finding{"commits", hash, 0, fmt.Sprintf("%s: %q", problem, subject)})
		}
	}
	return findings, nil
}

// subject matches the packages, separated by commas, and the first word of a commit's subject.
var subject = regexp.MustCompile(`^[\w./-]+(?:, [\w./-]+)*: ([a-z][a-z-]*)(?: |$)`)

// imperatives end like another form of a verb.
var imperatives = map[string]bool{
	"bring": true, "embed": true, "exceed": true, "feed": true, "focus": true, "need": true, "proceed": true,
	"ring": true, "seed": true, "shed": true, "speed": true, "spread": true, "string": true,
}

var notImperative = regexp.MustCompile(`(?:ed|ing|[^s]s)$`)

// checkSubject describes the problem with the subject of a commit, or returns "".
func checkSubject(text string) string {
	match := subject.FindStringSubmatch(text)
	switch {
	case match == nil:
		return `want "package: verb …", lower case`
	case notImperative.MatchString(match[1]) && !imperatives[match[1]]:
		return "want the imperative"
	case utf8.RuneCountInString(text) > maxSubject:
		return fmt.Sprintf("has more than %d characters", maxSubject)
	case strings.HasSuffix(text, "."):
		return "ends with a full stop"
	}
	return ""
}
