//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
	"github.com/cardvault/cardvault/gen/client/go/webhooks"
)

// The service delivers a test event to the README's receiver, and the README's test of the receiver passes.
func TestReadme_Receiver(t *testing.T) {
	code, address := readReadme(t), freeAddress(t)
	p := newProject(t)
	p.write("main.go", strings.Replace(code.programs[1], "localhost:3000", address, 1))
	p.write("main_test.go", code.tests[0])
	p.run("go", "vet", ".")
	if out := p.run("go", "test", "-v", "."); !strings.Contains(out, "--- PASS: TestReceive") {
		t.Errorf("the README's test prints %s, want a pass", out)
	}
	p.run("go", "build", "-o", "receiver", ".")

	endpoint := register(t, "http://"+address+"/hook")
	receiver := p.command("./receiver")
	receiver.Env = append(receiver.Env, "SECRET="+endpoint.Secret)
	lines := start(t, receiver, address)
	cardvaultCommand(t, "webhook", "test", endpoint.ID)
	if line := <-lines; !strings.Contains(line, " evt_") {
		t.Errorf("the receiver prints %q, want an event", line)
	}
}

// endpoint is the output of cardvault webhook register.
type endpoint struct{ ID, Secret string }

func register(t *testing.T, url string) endpoint {
	t.Helper()
	var made endpoint
	text := cardvaultCommand(t, "webhook", "register", "--account", os.Getenv("ACCOUNT"), "--url", url, "--json")
	if err := json.Unmarshal([]byte(text), &made); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	t.Cleanup(func() { // the test's context has ended by then
		if out, err := exec.Command("cardvault", "webhook", "delete", made.ID).CombinedOutput(); err != nil {
			t.Errorf("cardvault webhook delete: %v: %s", err, out)
		}
	})
	return made
}

func cardvaultCommand(t *testing.T, arguments ...string) string {
	t.Helper()
	return output(t, exec.CommandContext(t.Context(), "cardvault", arguments...))
}

// start runs a server until the test ends, waits until it listens, and returns the lines that it prints.
func start(t *testing.T, server *exec.Cmd, address string) <-chan string {
	t.Helper()
	printed, err := server.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(printed); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}()
	t.Cleanup(func() {
		_ = server.Process.Kill() // fails if the process has ended
		_ = server.Wait()         // reports the kill
	})
	awaitListener(t, address)
	return lines
}

// awaitListener waits until the address accepts connections, for at most 30 seconds.
func awaitListener(t *testing.T, address string) {
	t.Helper()
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.After(30 * time.Second); ; {
		if connection, err := net.Dial("tcp", address); err == nil {
			connection.Close()
			return
		}
		select {
		case <-deadline:
			t.Fatalf("nothing listens at %s", address)
		case <-poll.C:
		}
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// The function of the guide, for applications that do not use this package, accepts the signature of a test payload.
func TestGuide_VerifiesTestPayload(t *testing.T) {
	const secret = "whsec_test"
	p := newProject(t)
	blocks := goBlocks(t, filepath.Join(repository, "openapi/guides/webhooks.md"))
	i := slices.IndexFunc(blocks, func(block string) bool { return strings.Contains(block, "func Verified(") })
	if i < 0 {
		t.Fatal("the guide has no function Verified")
	}
	p.write("verified.go", blocks[i])
	p.write("main.go", `package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	body, err := io.ReadAll(os.Stdin)
	fmt.Print(err == nil && Verified(os.Args[1], os.Args[2], body))
}
`)
	p.run("go", "build", "-o", "verified", ".")
	event := cardvault.Event{Data: cardvault.CardPricedData{Title: "Füchse & <Eulen>"}}
	payload, err := webhooks.SignTestPayload(secret, event)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{secret: "true", "whsec_other": "false"} {
		verified := p.command("./verified", key, payload.Header.Get(webhooks.SignatureHeader))
		verified.Stdin = bytes.NewReader(payload.Body)
		if got := output(t, verified); got != want {
			t.Errorf("with the secret %s the guide's function returns %s, want %s", key, got, want)
		}
	}
}
