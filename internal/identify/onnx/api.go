//go:build (linux || darwin) && (amd64 || arm64)

package onnx

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Supported is whether the library can be loaded on this platform.
const Supported = true

// apiVersion is the version of the C API that is requested. Later libraries support it too.
const apiVersion = 17

// function is the index of a function in the library's table OrtApi, whose order never changes.
type function int

const (
	getErrorMessage                   function = 2
	createEnv                         function = 3
	createSessionFromArray            function = 8
	runSession                        function = 9
	createSessionOptions              function = 10
	disableMemPattern                 function = 17
	setSessionGraphOptimizationLevel  function = 23
	setIntraOpNumThreads              function = 24
	setInterOpNumThreads              function = 25
	createTensorWithDataAsOrtValue    function = 49
	getTensorMutableData              function = 51
	getDimensionsCount                function = 61
	getDimensions                     function = 62
	getTensorTypeAndShape             function = 65
	createCPUMemoryInfo               function = 69
	allocatorFree                     function = 76
	getAllocatorWithDefaultOptions    function = 78
	releaseStatus                     function = 93
	releaseSession                    function = 95
	releaseValue                      function = 96
	releaseTensorTypeAndShapeInfo     function = 99
	releaseSessionOptions             function = 100
	sessionGetInputName               function = 36
	sessionGetOutputName              function = 37
	sessionGetModelMetadata           function = 111
	modelMetadataLookupCustomMetadata function = 116
	releaseModelMetadata              function = 118
	addSessionConfigEntry             function = 130
	functions                         function = 131
)

// handle is a pointer to an object of the library.
type handle uintptr

// Runtime is the loaded library.
type Runtime struct {
	table     *[functions]uintptr
	env       handle
	memory    handle // describes tensors in memory of Go
	allocator handle // allocates texts of the library
}

// Open loads the library from a file.
func Open(path string) (*Runtime, error) {
	library, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("load ONNX Runtime: %w", err)
	}
	symbol, err := purego.Dlsym(library, "OrtGetApiBase")
	if err != nil {
		return nil, fmt.Errorf("open %s, which is not the ONNX Runtime: %w", path, err)
	}
	// OrtApiBase begins with a pointer to the function GetApi.
	base, _, _ := purego.SyscallN(symbol)
	getAPI := *(*uintptr)(pointer(base))
	table, _, _ := purego.SyscallN(getAPI, apiVersion)
	if table == 0 {
		return nil, fmt.Errorf("load ONNX Runtime: it does not support version %d of its interface", apiVersion)
	}
	r := &Runtime{table: (*[functions]uintptr)(pointer(table))}
	if err := r.prepare(); err != nil {
		return nil, fmt.Errorf("load ONNX Runtime: %w", err)
	}
	return r, nil
}

// prepare creates the objects that all sessions share.
func (r *Runtime) prepare() (err error) {
	const logErrors = 3
	var pin runtime.Pinner
	defer pin.Unpin()
	if r.env, err = r.create(createEnv, logErrors, cString(&pin, "cardvault")); err != nil {
		return err
	}
	const arenaAllocator, defaultMemory = 1, 0
	if r.memory, err = r.create(createCPUMemoryInfo, arenaAllocator, defaultMemory); err != nil {
		return err
	}
	r.allocator, err = r.create(getAllocatorWithDefaultOptions)
	return err
}

// call calls a function that returns a status.
func (r *Runtime) call(f function, args ...uintptr) error {
	status, _, _ := purego.SyscallN(r.table[f], args...)
	if status == 0 {
		return nil
	}
	message, _, _ := purego.SyscallN(r.table[getErrorMessage], status)
	err := errors.New(goString(message))
	r.release(releaseStatus, handle(status))
	return err
}

// create calls a function whose last argument is the address of a handle, and returns the handle.
func (r *Runtime) create(f function, args ...uintptr) (handle, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	cell := new(handle)
	pin.Pin(cell)
	err := r.call(f, append(args, uintptr(unsafe.Pointer(cell)))...)
	return *cell, err
}

func (r *Runtime) release(f function, h handle) {
	if h != 0 {
		purego.SyscallN(r.table[f], uintptr(h))
	}
}

// pointer converts an address of the library, which Go's collector does not move or free.
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

// address pins a slice, which moves it from the stack to the heap, and returns the address of its first element.
func address[T any](pin *runtime.Pinner, values []T) uintptr {
	first := unsafe.SliceData(values)
	pin.Pin(first)
	return uintptr(unsafe.Pointer(first))
}

// cString returns the address of a text that ends with a zero byte, and pins it.
func cString(pin *runtime.Pinner, text string) uintptr { return address(pin, append([]byte(text), 0)) }

// goString copies a text of the library.
func goString(address uintptr) string {
	if address == 0 {
		return ""
	}
	start := (*byte)(pointer(address))
	length := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(start), length)) != 0 {
		length++
	}
	return string(unsafe.Slice(start, length))
}
