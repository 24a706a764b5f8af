package webhooks

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// signatureCase is a request and whether a receiver must accept its signature.
type signatureCase struct {
	Secret string `json:"secret"`
	Header string `json:"header"`
	Body   []byte `json:"body"` // base64 in JSON
	name   string
	valid  bool
}

// signatureCases returns cases that are signed by Sign or by openssl.
func signatureCases(t *testing.T) []signatureCase {
	t.Helper()
	body := []byte(`{"id":"evt_1","data":{"title":"Pokémon"}}` + "\xff\n")
	now := time.Now()
	const secret, old = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_old"
	good := Sign(secret, now, body)
	stamp, v1, _ := strings.Cut(good, ",")
	rotated := string(AppendSignatures(nil, now.Unix(), body, []byte(secret), []byte(old)))
	later := "t=" + strconv.FormatInt(now.Unix()+1, 10)
	return []signatureCase{
		{secret, good, body, "by the service", true},
		{secret, signWithOpenSSL(t, secret, now, body), body, "by openssl", true},
		{secret, Sign(secret, now, nil), nil, "an empty body", true},
		{secret, Sign(secret, now.Add(-4*time.Minute), body), body, "four minutes old", true},
		{secret, rotated, body, "rotated, the new secret", true},
		{old, rotated, body, "rotated, the old secret", true},
		{"whsec_other", rotated, body, "rotated, neither secret", false},
		{old, good, body, "the old secret after its grace", false},
		{secret, Sign(secret, now.Add(-6*time.Minute), body), body, "six minutes old", false},
		{secret, good, append(slices.Clone(body), ' '), "another body", false},
		{secret, later + "," + v1, body, "another time", false},
		{secret, good[:len(good)-2], body, "cut off", false},
		{secret, stamp + ",v1=" + strings.Repeat("z", 64), body, "no hex", false},
		{secret, stamp + ",v1=", body, "an empty signature", false},
		{secret, stamp + ",v1", body, "no value", false},
		{secret, stamp + ",v1=é", body, "not ASCII", false},
		{secret, stamp, body, "no signature", false},
		{secret, v1, body, "no time", false},
		{secret, "t=," + v1, body, "an empty time", false},
		{secret, "t=soon," + v1, body, "a time that is no number", false},
		{secret, "", body, "no header", false},
	}
}

func signWithOpenSSL(t *testing.T, secret string, at time.Time, body []byte) string {
	t.Helper()
	stamp := strconv.FormatInt(at.Unix(), 10)
	cmd := exec.Command("openssl", "dgst", "-sha256", "-hmac", secret, "-r")
	cmd.Stdin = bytes.NewReader(append([]byte(stamp+"."), body...))
	out, err := cmd.Output()
	must(t, err)
	return "t=" + stamp + ",v1=" + string(bytes.Fields(out)[0])
}

// snippet returns the code in this language of the guide for receivers.
func snippet(t *testing.T, language string) string {
	t.Helper()
	page, err := os.ReadFile("../../openapi/guides/webhooks.md")
	must(t, err)
	found := regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllSubmatch(page, -1)
	if len(found) != 1 {
		t.Fatalf("%d snippets in %s", len(found), language)
	}
	return string(found[0][1])
}

// typeAnnotations matches the annotations in the TypeScript snippet. Node.js runs the snippet without them.
var typeAnnotations = regexp.MustCompile(`: (string|boolean|Buffer)\b`)

// The documented snippets accept the signatures of the service and of openssl, and nothing else.
func TestReceiverSnippets(t *testing.T) {
	t.Parallel()
	for _, language := range []struct {
		name, code, file string // the snippet and its file name
		mainFile, main   string // reads cases as JSON and writes an array of booleans
		command          []string
	}{
		{"Go", snippet(t, "go"), "verified.go", "main.go", goMain, []string{"go", "run", "verified.go", "main.go"}},
		{"TypeScript", typeAnnotations.ReplaceAllString(snippet(t, "typescript"), ""), "verified.mjs", "main.mjs",
			typeScriptMain, []string{"node", "main.mjs"}},
		{"Python", snippet(t, "python"), "verified.py", "main.py", pythonMain, []string{"python3", "main.py"}},
	} {
		t.Run(language.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			must(t, os.WriteFile(filepath.Join(dir, language.file), []byte(language.code), 0o600))
			must(t, os.WriteFile(filepath.Join(dir, language.mainFile), []byte(language.main), 0o600))
			cases := signatureCases(t)
			in, err := json.Marshal(cases)
			must(t, err)
			cmd := exec.CommandContext(t.Context(), language.command[0], language.command[1:]...)
			cmd.Dir, cmd.Stdin, cmd.Stderr = dir, bytes.NewReader(in), os.Stderr
			out, err := cmd.Output()
			must(t, err)
			var accepted []bool
			must(t, json.Unmarshal(out, &accepted))
			if len(accepted) != len(cases) {
				t.Fatalf("%d answers to %d cases", len(accepted), len(cases))
			}
			for i, c := range cases {
				if accepted[i] != c.valid {
					t.Errorf("%s: accepted is %v", c.name, accepted[i])
				}
			}
		})
	}
}

const (
	goMain = `package main

import (
	"encoding/json"
	"os"
)

func main() {
	var cases []struct {
		Secret, Header string
		Body           []byte
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	accepted := []bool{}
	for _, c := range cases {
		accepted = append(accepted, Verified(c.Secret, c.Header, c.Body))
	}
	json.NewEncoder(os.Stdout).Encode(accepted)
}
`
	typeScriptMain = `import { readFileSync } from 'node:fs'
import { verified } from './verified.mjs'

const cases = JSON.parse(readFileSync(0, 'utf8'))
console.log(JSON.stringify(cases.map((c) => verified(c.secret, c.header, Buffer.from(c.body ?? '', 'base64')))))
`
	pythonMain = `import base64
import json
import sys

from verified import verified

cases = json.load(sys.stdin)
print(json.dumps([verified(c["secret"], c["header"], base64.b64decode(c["body"] or "")) for c in cases]))
`
)
