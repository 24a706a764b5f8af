package main

import (
	"os"
	"path/filepath"

	"github.com/cardvault/cardvault/internal/config"
	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/textreader"
	"github.com/cardvault/cardvault/internal/models"
)

// readTextCmd is a child process of the service: it reads the text on pictures from standard input, so that a fault in
// the native library does not end the service.
type readTextCmd struct{}

// readTextMemory is the maximum memory of the child, in bytes. It takes 250 to 400 MB.
const readTextMemory = 1 << 30

// Run implements the command. It ends when its input does, not by a signal, so that the service can drain.
func (readTextCmd) Run(c *config.Config) error {
	if err := textreader.LimitMemory(readTextMemory); err != nil {
		return err
	}
	path := func(name string) string { return filepath.Join(c.ModelsDir, name) }
	return textreader.Serve(os.Stdin, os.Stdout, func() (textreader.Engine, error) {
		return ppocr.Load(ppocr.Files{
			Library: path(models.Library), Detection: path(models.Detection), Recognition: path(models.Recognition),
		})
	})
}
