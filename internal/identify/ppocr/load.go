package ppocr

import (
	"fmt"
	"os"

	"github.com/cardvault/cardvault/internal/identify/onnx"
)

// Files are the paths of what Load loads.
type Files struct{ Library, Detection, Recognition string }

// Load loads the native library and both networks. It takes about half a second.
func Load(files Files) (*Engine, error) {
	runtime, err := onnx.Open(files.Library)
	if err != nil {
		return nil, fmt.Errorf("load models: %w", err)
	}
	detection, err := session(runtime, files.Detection)
	if err != nil {
		return nil, err
	}
	recognition, err := session(runtime, files.Recognition)
	if err != nil {
		return nil, err
	}
	dictionary, err := recognition.Metadata("character")
	if err != nil {
		return nil, fmt.Errorf("load models: %w", err)
	}
	return NewEngine(detection, recognition, dictionary)
}

func session(runtime *onnx.Runtime, path string) (*onnx.Session, error) {
	model, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("load models: %w", err)
	}
	s, err := runtime.NewSession(model)
	if err != nil {
		return nil, fmt.Errorf("load model %s: %w", path, err)
	}
	return s, nil
}
