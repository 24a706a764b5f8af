package main

import (
	"os"
	"path/filepath"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/identify/modelfiles"
	"github.com/cardvault/cardvault/internal/identify/photoreader"
	"github.com/cardvault/cardvault/internal/identify/ppocr"
)

// readPhotosCmd is a child process of the service: it computes on photos from standard input, so that a fault in the
// native library does not end the service.
type readPhotosCmd struct{}

// Run implements the command. It ends when its input does, not by a signal, so that the service can drain.
func (readPhotosCmd) Run(c *config.Config) error {
	path := func(name string) string { return filepath.Join(c.ModelsDir, name) }
	return photoreader.Serve(os.Stdin, os.Stdout, func() (photoreader.Engine, error) {
		return ppocr.Load(ppocr.Files{
			Library: path(modelfiles.Library), Detection: path(modelfiles.Detection),
			Recognition: path(modelfiles.Recognition),
		})
	})
}
