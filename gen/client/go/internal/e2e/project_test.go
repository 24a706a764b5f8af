//go:build e2e

package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

const (
	module     = "github.com/cardvault/cardvault/gen/client/go"
	moduleRoot = "../.."
	repository = "../../../../.."
)

// project is a new Go module that gets the client from a module proxy.
type project struct {
	t      *testing.T
	folder string
	env    []string
}

func newProject(t *testing.T) *project {
	t.Helper()
	p := &project{t: t, folder: filepath.Join(t.TempDir(), "a shop")}
	if err := os.Mkdir(p.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	proxy := url.URL{Scheme: "file", Path: publish(t)}
	// The project has its own module cache, so that no other project finds this version of the module there. It builds
	// with the flags of this test, so that it finds the standard library in the build cache.
	p.env = append(os.Environ(), "GOPROXY="+proxy.String(), "GONOPROXY=none", "GOSUMDB=off", "GOTOOLCHAIN=local",
		"GOWORK=off", "GOMODCACHE="+t.TempDir(), "GOFLAGS=-modcacherw "+os.Getenv("GOFLAGS"))
	p.run("go", "mod", "init", "example.com/shop")
	p.run("go", "get", module+"@v"+cardvault.Version)
	return p
}

// write writes a file of the project.
func (p *project) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// command returns a command that runs in the project.
func (p *project) command(name string, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(p.t.Context(), name, arguments...)
	command.Dir, command.Env = p.folder, p.env
	return command
}

// run runs a command in the project, which must succeed, and returns its standard output.
func (p *project) run(name string, arguments ...string) string {
	p.t.Helper()
	return output(p.t, p.command(name, arguments...))
}

func output(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", command, err, out, &stderr)
	}
	return string(out)
}

// publish creates the folder of a module proxy that contains this module, and returns it.
func publish(t *testing.T) string {
	t.Helper()
	proxy, version := t.TempDir(), "v"+cardvault.Version
	folder := filepath.Join(proxy, module, "@v")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	goMod, err := os.ReadFile(filepath.Join(moduleRoot, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	info, err := json.Marshal(map[string]string{"Version": version, "Time": "2026-01-01T00:00:00Z"})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"list":            []byte(version + "\n"),
		version + ".info": info,
		version + ".mod":  goMod,
		version + ".zip":  archive(t, version),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return proxy
}

// archive returns a zip file with the module's files under module@version/, as the Go command requires.
func archive(t *testing.T, version string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	files := os.DirFS(moduleRoot)
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		file, err := w.Create(fmt.Sprintf("%s@%s/%s", module, version, path))
		if err != nil {
			return err
		}
		_, err = file.Write(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A project that uses the client gets no other module with it.
func TestModule_NoDependencies(t *testing.T) {
	p := newProject(t)
	want := "example.com/shop\n" + module + " v" + cardvault.Version + "\n"
	if got := p.run("go", "list", "-m", "all"); got != want {
		t.Errorf("the modules are\n%swant\n%s", got, want)
	}
}

// The version of the client is that of the contract.
func TestVersion(t *testing.T) {
	contract, err := os.ReadFile(filepath.Join(repository, "openapi/v1.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(contract), "\n  version: "+cardvault.Version+"\n") {
		t.Errorf("Version in doc.go is %s: want the info.version of openapi/v1.yaml", cardvault.Version)
	}
}
