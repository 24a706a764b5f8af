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

// readPhotosMemory is the maximum memory of the child, in bytes. It takes 250 to 400 MB.
const readPhotosMemory = 1 << 30

// Run implements the command. It ends when its input does, not by a signal, so that the service can drain.
func (readPhotosCmd) Run(c *config.Config) error {
	if err := photoreader.LimitMemory(readPhotosMemory); err != nil {
		return err
	}
	path := func(name string) string { return filepath.Join(c.ModelsDir, name) }
	return photoreader.Serve(os.Stdin, os.Stdout, func() (photoreader.Engine, error) {
		return ppocr.Load(ppocr.Files{
			Library: path(models.Library), Detection: path(models.Detection), Recognition: path(models.Recognition),
		})
	})
}
