//go:build !((linux || darwin) && (amd64 || arm64))

package onnx

import "errors"

// Supported is whether the library can be loaded on this platform.
const Supported = false

var errUnsupported = errors.New("the ONNX Runtime cannot be loaded on this platform")

// Runtime is the loaded library.
type Runtime struct{}

// Session is a loaded network with one input and one output.
type Session struct{}

// Open returns an error.
func Open(string) (*Runtime, error) { return nil, errUnsupported }

// NewSession returns an error.
func (*Runtime) NewSession([]byte) (*Session, error) { return nil, errUnsupported }

// Metadata returns an error.
func (*Session) Metadata(string) (string, error) { return "", errUnsupported }

// Run returns an error.
func (*Session) Run([]float32, []int64, func([]float32, []int64) error) error { return errUnsupported }

// Close does nothing.
func (*Session) Close() {}
