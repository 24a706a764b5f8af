package heif

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed" // the decoders
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// codec is how the pixels of a tile are coded.
type codec int

const (
	hevc codec = iota
	av1
)

//go:embed decoders/hevc.wasm.gz
var hevcModule []byte

//go:embed decoders/av1.wasm.gz
var av1Module []byte

// engine is a compiled decoder.
type engine struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

// engines compile a decoder at its first use.
var engines = map[codec]func() (*engine, error){
	hevc: sync.OnceValues(func() (*engine, error) { return compile(hevcModule) }),
	av1:  sync.OnceValues(func() (*engine, error) { return compile(av1Module) }),
}

// compile compiles a decoder. Its C library imports WASI, but gets no files, arguments or clocks.
func compile(data []byte) (*engine, error) {
	unzip, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("compile decoder: %w", err)
	}
	code, err := io.ReadAll(unzip)
	if err != nil {
		return nil, fmt.Errorf("compile decoder: %w", err)
	}
	ctx := context.Background()
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig())
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, runtime); err != nil {
		return nil, fmt.Errorf("compile decoder: %w", err)
	}
	host := runtime.NewHostModuleBuilder("heif").NewFunctionBuilder().WithFunc(check).Export("check")
	if _, err := host.Instantiate(ctx); err != nil {
		return nil, fmt.Errorf("compile decoder: %w", err)
	}
	module, err := runtime.CompileModule(ctx, code)
	if err != nil {
		return nil, fmt.Errorf("compile decoder: %w", err)
	}
	debug.FreeOSMemory() // compiling leaves garbage of many times the size of the code
	return &engine{runtime, module}, nil
}

// check ends a call of a decoder when ctx ends or its budget is exhausted. Decoders call it about every millisecond, in
// pictures of one colour every 20 ms (decoders/check.c). The runtime returns the panic as the error of the call.
func check(ctx context.Context) {
	if err := ctx.Err(); err != nil {
		panic(err)
	}
	if b, limited := ctx.Value(budgetKey{}).(*budget); limited && b.exhausted() {
		panic(ErrTooSlow)
	}
}

// decoder is an instance of an engine for one photo.
type decoder struct {
	module                  api.Module
	input, decode, describe api.Function
}

// openDecoder starts a decoder that can use up to limit bytes of memory.
func openDecoder(ctx context.Context, c codec, limit int64) (*decoder, error) {
	e, err := engines[c]()
	if err != nil {
		return nil, err
	}
	ctx = experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(
		func(uint64, uint64) experimental.LinearMemory { return boundedMemory(make([]byte, 0, limit)) }))
	module, err := e.runtime.InstantiateModule(ctx, e.module,
		wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		return nil, fmt.Errorf("open decoder: %w", err)
	}
	return &decoder{
		module: module,
		input:  module.ExportedFunction("input"), decode: module.ExportedFunction("decode"),
		describe: module.ExportedFunction("describe"),
	}, nil
}

// close ends the decoder. Its memory is collected once no picture refers to it.
func (d *decoder) close() { _ = d.module.Close(context.Background()) }

// boundedMemory is the memory of a decoder. It grows up to its capacity, which the system provides page by page.
type boundedMemory []byte

// Reallocate implements experimental.LinearMemory. Without enough memory, the decoder's allocation fails.
func (m boundedMemory) Reallocate(size uint64) []byte {
	if size > uint64(cap(m)) {
		return nil
	}
	return m[:size]
}

// Free implements experimental.LinearMemory. The collector frees the memory, because pictures may still refer to it.
func (m boundedMemory) Free() {}

// tile decodes a coded picture, which consists of two parts. The result is valid until the next call.
func (d *decoder) tile(ctx context.Context, header, data []byte) (*samples, error) {
	size := uint64(len(header) + len(data))
	at, err := d.call(ctx, d.input, size)
	if err != nil {
		return nil, err
	}
	memory := d.module.Memory()
	if at == 0 || !memory.Write(at, header) || !memory.Write(at+uint32(len(header)), data) {
		return nil, errNoMemory
	}
	ok, err := d.call(ctx, d.decode, size)
	if err != nil {
		return nil, err
	}
	if ok == 0 {
		return nil, ErrDamaged
	}
	if at, err = d.call(ctx, d.describe); err != nil {
		return nil, err
	}
	return readSamples(memory, at)
}

var errNoMemory = fmt.Errorf("%w: the decoder needs more memory than its limit", ErrDamaged)

// call calls a function of the decoder, within the budget of ctx. If the decoder crashes, the photo is damaged.
func (d *decoder) call(ctx context.Context, f api.Function, args ...uint64) (uint32, error) {
	var results []uint64
	var err error
	ctx.Value(budgetKey{}).(*budget).spend(func() { results, err = f.Call(ctx, args...) })
	switch {
	case ctx.Err() != nil:
		return 0, fmt.Errorf("decode tile: %w", ctx.Err())
	case errors.Is(err, ErrTooSlow):
		return 0, fmt.Errorf("decode tile: %w", ErrTooSlow)
	case err != nil:
		return 0, fmt.Errorf("decode tile: %w: %w", ErrDamaged, err)
	}
	return uint32(results[0]), nil
}

// description is the decoder's description of a decoded picture (decoders/picture.h).
type description struct {
	Width, Height, Layout, Depth           uint32
	Planes, Strides                        [3]uint32
	FullRange, Primaries, Transfer, Matrix uint32
}

// readSamples reads the description at an address and finds the samples. It checks all that it reads: the decoder may
// have been corrupted by the photo.
func readSamples(memory api.Memory, at uint32) (*samples, error) {
	var d description
	raw, ok := memory.Read(at, uint32(binary.Size(d)))
	if !ok {
		return nil, ErrDamaged
	}
	if _, err := binary.Decode(raw, binary.LittleEndian, &d); err != nil {
		return nil, fmt.Errorf("read samples: %w", err)
	}
	if d.Width == 0 || d.Height == 0 || d.Width > maxSide || d.Height > maxSide || d.Layout > layout444 ||
		d.Depth < 8 || d.Depth > 16 {
		return nil, ErrDamaged
	}
	s := &samples{
		width: int(d.Width), height: int(d.Height), layout: int(d.Layout), depth: int(d.Depth),
		fullRange: d.FullRange != 0, primaries: int(d.Primaries), transfer: int(d.Transfer), matrix: int(d.Matrix),
	}
	for i := range s.planes[:s.planeCount()] {
		width, height := s.planeSize(i)
		stride, row := uint64(d.Strides[i]), uint64(width*s.bytes())
		size := stride*uint64(height-1) + row
		if stride < row || size > uint64(memory.Size()) {
			return nil, ErrDamaged
		}
		if s.planes[i], ok = memory.Read(d.Planes[i], uint32(size)); !ok {
			return nil, ErrDamaged
		}
		s.strides[i] = int(stride)
	}
	return s, nil
}
