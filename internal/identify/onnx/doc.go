// Package onnx runs neural networks in the ONNX format with the ONNX Runtime, a native library that is loaded at run
// time. It does not depend on the networks' purpose.
//
// The library is called through its C API by package purego, without cgo: CardVault stays one binary that every machine
// can build for every other, and a machine without the library loses only the features that need it. Supported reports
// whether the library can be loaded on this platform.
//
// Each session uses one thread, the caller's. Callers get parallelism from concurrent calls of Run.
//
// The library may read and write memory of Go only during a call, and only memory that is pinned: results of the
// library are stored in allocated cells, never in variables on the stack, which Go moves when it grows.
//
// A fault in native code ends the process. Callers that must survive it run sessions in a separate process.
package onnx
