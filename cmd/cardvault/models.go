package main

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/identify/modelfiles"
)

type modelsCmd struct {
	Install modelsInstallCmd `cmd:"" help:"Install the models that read the text on cards. Safe to repeat."`
	Status  modelsStatusCmd  `cmd:"" help:"Check the installed models."`
}

// modelsFolder is embedded by commands that work on the folder of the models.
type modelsFolder struct {
	Dir string `placeholder:"DIR" help:"The folder. Default: that of --models-dir."`
}

func (f modelsFolder) path(c *config.Config) string {
	if f.Dir != "" {
		return f.Dir
	}
	return c.ModelsDir
}

type modelsInstallCmd struct {
	modelsFolder
	output
	From string `type:"existingdir" placeholder:"DIR" help:"Take the packages from this folder instead of the network."`
}

// Run implements the command.
func (cmd modelsInstallCmd) Run(ctx context.Context, c *config.Config, t *terminal) error {
	dir := cmd.path(c)
	files, err := modelfiles.Install(ctx, dir, modelfiles.Source{Index: c.ModelsIndex, Folder: cmd.From})
	if err != nil {
		return err
	}
	return cmd.print(t, map[string]any{"dir": dir, "installed": len(files)},
		fmt.Sprintf("%d files installed in %s, %d as they were.", len(files), dir, len(modelfiles.Known())-len(files)))
}

type modelsStatusCmd struct {
	modelsFolder
	output
}

// modelStatus is a file with its state.
type modelStatus struct {
	modelfiles.File
	State modelfiles.State `json:"state"`
}

// Run implements the command. It fails unless all files are installed.
func (cmd modelsStatusCmd) Run(c *config.Config, t *terminal) error {
	dir := cmd.path(c)
	var rows []modelStatus
	for _, f := range modelfiles.Known() {
		state, err := f.Check(dir)
		if err != nil {
			return err
		}
		rows = append(rows, modelStatus{f, state})
	}
	err := list(cmd.output, t, rows, "FILE\tVERSION\tLICENCE\tSTATE", func(s modelStatus) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s", s.Name, s.Version, s.Licence, s.State)
	})
	if err != nil {
		return err
	}
	return modelfiles.Find(dir)
}
