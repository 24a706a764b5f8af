package main

import (
	"os"
	"path/filepath"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/identify/photoreader"
	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/models"
)

// readPhotosCmd is a child process of the service: it computes on photos from standard input, so that a fault in the
// native library does not end the service.
type readPhotosCmd struct{}

// Run implements the command. It ends when its input does, not by a signal, so that the service can drain.
func (readPhotosCmd) Run(c *config.Config) error {
	path := func(name string) string { return filepath.Join(c.ModelsDir, name) }
	return photoreader.Serve(os.Stdin, os.Stdout, func() (photoreader.Engine, error) {
		return ppocr.Load(ppocr.Files{
			Library: path(models.Library), Detection: path(models.Detection), Recognition: path(models.Recognition),
		})
	})
}
