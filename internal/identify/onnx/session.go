//go:build (linux || darwin) && (amd64 || arm64)

package onnx

import (
	"fmt"
	"runtime"
	"unsafe"
)

// Session is a loaded network with one input and one output. It is safe for concurrent use.
type Session struct {
	runtime       *Runtime
	session       handle
	input, output []byte // names, ended by a zero byte
}

// sessionSettings are configuration entries of the library. Threads that spin while they wait would take the processor
// time of other photos.
var sessionSettings = map[string]string{
	"session.intra_op.allow_spinning": "0",
	"session.inter_op.allow_spinning": "0",
}

// NewSession loads a network from the bytes of its file.
func (r *Runtime) NewSession(model []byte) (*Session, error) {
	if len(model) == 0 {
		return nil, fmt.Errorf("create session: the model is empty")
	}
	options, err := r.options()
	if err != nil {
		return nil, fmt.Errorf("create session: %w", err)
	}
	defer r.release(releaseSessionOptions, options)
	var pin runtime.Pinner
	defer pin.Unpin()
	s := &Session{runtime: r}
	s.session, err = r.create(createSessionFromArray,
		uintptr(r.env), address(&pin, model), uintptr(len(model)), uintptr(options))
	if err != nil {
		return nil, fmt.Errorf("create session: %w", err)
	}
	if s.input, err = s.name(sessionGetInputName); err == nil {
		s.output, err = s.name(sessionGetOutputName)
	}
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("create session: %w", err)
	}
	return s, nil
}

// options returns the options of a session that uses only the thread of its caller. The arena keeps the memory of the
// largest input, without which the kernel maps and clears it again for each: detection takes 1.6 times as long then.
func (r *Runtime) options() (handle, error) {
	options, err := r.create(createSessionOptions)
	if err != nil {
		return 0, err
	}
	const allOptimizations = 99
	for _, set := range []struct {
		f    function
		args []uintptr
	}{
		{setIntraOpNumThreads, []uintptr{1}},
		{setInterOpNumThreads, []uintptr{1}},
		{setSessionGraphOptimizationLevel, []uintptr{allOptimizations}},
		{disableMemPattern, nil},
	} {
		if err := r.call(set.f, append([]uintptr{uintptr(options)}, set.args...)...); err != nil {
			r.release(releaseSessionOptions, options)
			return 0, err
		}
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	for key, value := range sessionSettings {
		err := r.call(addSessionConfigEntry, uintptr(options), cString(&pin, key), cString(&pin, value))
		if err != nil {
			r.release(releaseSessionOptions, options)
			return 0, err
		}
	}
	return options, nil
}

// name returns the name of the first input or output.
func (s *Session) name(f function) ([]byte, error) {
	text, err := s.runtime.create(f, uintptr(s.session), 0, uintptr(s.runtime.allocator))
	if err != nil {
		return nil, err
	}
	return append([]byte(s.runtime.take(text)), 0), nil
}

// take copies a text that the library allocated, and frees it.
func (r *Runtime) take(text handle) string {
	value := goString(uintptr(text))
	if text != 0 {
		_ = r.call(allocatorFree, uintptr(r.allocator), uintptr(text)) // a text that stays allocated does no harm
	}
	return value
}

// Metadata returns a text of the model's metadata, or "" if it does not have it.
func (s *Session) Metadata(key string) (string, error) {
	r := s.runtime
	metadata, err := r.create(sessionGetModelMetadata, uintptr(s.session))
	if err != nil {
		return "", fmt.Errorf("read metadata: %w", err)
	}
	defer r.release(releaseModelMetadata, metadata)
	var pin runtime.Pinner
	defer pin.Unpin()
	text, err := r.create(modelMetadataLookupCustomMetadata,
		uintptr(metadata), uintptr(r.allocator), cString(&pin, key))
	if err != nil {
		return "", fmt.Errorf("read metadata: %w", err)
	}
	return r.take(text), nil
}

// Run computes the output for an input of 32-bit floats, on the thread of the caller, and passes it to use. The output
// is memory of the library, which is valid only until use returns. Run returns the error of use.
func (s *Session) Run(input []float32, shape []int64, use func(output []float32, shape []int64) error) error {
	size := int64(1)
	for _, n := range shape {
		size *= n
	}
	if size <= 0 || size != int64(len(input)) {
		return fmt.Errorf("run model: %d values do not have the shape %v", len(input), shape)
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	const float32Type = 1
	r := s.runtime
	in, err := r.create(createTensorWithDataAsOrtValue, uintptr(r.memory), address(&pin, input),
		uintptr(4*len(input)), address(&pin, shape), uintptr(len(shape)), float32Type)
	if err != nil {
		return fmt.Errorf("run model: %w", err)
	}
	defer r.release(releaseValue, in)
	out, err := s.run(in)
	if err != nil {
		return fmt.Errorf("run model: %w", err)
	}
	defer r.release(releaseValue, out)
	output, outputShape, err := r.values(out)
	if err != nil {
		return fmt.Errorf("run model: %w", err)
	}
	return use(output, outputShape)
}

// run calls the library with arrays of one input and one output.
func (s *Session) run(in handle) (handle, error) {
	arrays := &struct {
		inputName, outputName *byte
		input, output         handle
	}{&s.input[0], &s.output[0], in, 0}
	var pin runtime.Pinner
	defer pin.Unpin()
	for _, p := range []any{arrays, arrays.inputName, arrays.outputName} {
		pin.Pin(p)
	}
	const defaultOptions, one = 0, 1
	err := s.runtime.call(runSession, uintptr(s.session), defaultOptions,
		uintptr(unsafe.Pointer(&arrays.inputName)), uintptr(unsafe.Pointer(&arrays.input)), one,
		uintptr(unsafe.Pointer(&arrays.outputName)), one, uintptr(unsafe.Pointer(&arrays.output)))
	return arrays.output, err
}

// values returns the content of a tensor of 32-bit floats, in memory of the library, and a copy of its shape.
func (r *Runtime) values(tensor handle) ([]float32, []int64, error) {
	info, err := r.create(getTensorTypeAndShape, uintptr(tensor))
	if err != nil {
		return nil, nil, err
	}
	defer r.release(releaseTensorTypeAndShapeInfo, info)
	rank, err := r.create(getDimensionsCount, uintptr(info))
	if err != nil {
		return nil, nil, err
	}
	shape := make([]int64, max(1, rank))
	var pin runtime.Pinner
	defer pin.Unpin()
	if err := r.call(getDimensions, uintptr(info), address(&pin, shape), uintptr(rank)); err != nil {
		return nil, nil, err
	}
	size := int64(1)
	for _, n := range shape[:rank] {
		size *= n
	}
	data, err := r.create(getTensorMutableData, uintptr(tensor))
	if err != nil || size <= 0 {
		return nil, shape[:rank], err
	}
	return unsafe.Slice((*float32)(pointer(uintptr(data))), size), shape[:rank], nil
}

// Close frees the network. No call of Run may be under way.
func (s *Session) Close() {
	s.runtime.release(releaseSession, s.session)
	s.session = 0
}
