package main

import (
	"fmt"
	"runtime/debug"

	"github.com/cardvault/cardvault/openapi"
)

// versionCmd prints the versions of the program and of the API, for reports of problems.
type versionCmd struct{ output }

// versions are the versions of the program, of Go, and of the contracts of the API.
type versions struct {
	Program string `json:"version"` // v1.2.3, or (devel) for a build without version control information
	Go      string `json:"go"`
	V1      string `json:"v1"`
	V2      string `json:"v2"`
}

// Run implements the command.
func (cmd versionCmd) Run(t *terminal) error {
	v1, err := openapi.ParseV1()
	if err != nil {
		return err
	}
	v2, err := openapi.ParseV2()
	if err != nil {
		return err
	}
	v := versions{Program: "(devel)", V1: v1.Info.Version, V2: v2.Info.Version}
	if build, ok := debug.ReadBuildInfo(); ok {
		v.Program, v.Go = build.Main.Version, build.GoVersion
	}
	return cmd.print(t, v, fmt.Sprintf("cardvault %s, built with %s; API v1 %s, v2 %s", v.Program, v.Go, v.V1, v.V2))
}
