package modelfiles

import "runtime"

// File is an installed file.
type File struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Licence string `json:"licence"`
	// SHA256 is the digest of the contents, in hex.
	SHA256 string `json:"sha256"`
	// Size is in bytes.
	Size int64 `json:"size"`

	wheel  wheel
	member string // the path in the wheel
}

// wheel is a package of the Python Package Index, a zip file.
type wheel struct{ project, file, sha256 string }

// The names of the installed files.
const (
	Detection   = "PP-OCRv6_det_small.onnx"
	Recognition = "PP-OCRv6_rec_small.onnx"
	Library     = "libonnxruntime-1.32.0"
)

var rapidocr = wheel{
	"rapidocr", "rapidocr-3.10.0-py3-none-any.whl", "2fc34e26cd0f48514804a94f8832283039c7334076bff60768b1fed9ad068050",
}

// networks are the files that every platform uses.
var networks = []File{
	{
		Name: Detection, Version: "PP-OCRv6 small", Licence: "Apache-2.0", Size: 9_929_594,
		SHA256: "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
		wheel:  rapidocr, member: "rapidocr/models/PP-OCRv6_det_small.onnx",
	},
	{
		Name: Recognition, Version: "PP-OCRv6 small", Licence: "Apache-2.0", Size: 21_234_383,
		SHA256: "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
		wheel:  rapidocr, member: "rapidocr/models/PP-OCRv6_rec_small.onnx",
	},
}

// libraries are the files by platform, GOOS/GOARCH.
var libraries = map[string]File{
	"linux/amd64": library(34_824_680, "6c1585d1bbf45b0712ea4a21b705c5fcb4ba04ff2e30f1fbf81a49faf658638f",
		"onnxruntime/capi/libonnxruntime.so.1.32.0", "onnxruntime-1.32.0-cp311-cp311-manylinux_2_28_x86_64.whl",
		"5a34fc4dfeb5a7b4a74c95dcba1e773d722abda720b474edf1b0c419dc6d163d"),
	"linux/arm64": library(27_165_936, "49852228a93995158b2a813d4df487d47a1b76b0eaa894507ef49e91b6d7954a",
		"onnxruntime/capi/libonnxruntime.so.1.32.0", "onnxruntime-1.32.0-cp311-cp311-manylinux_2_28_aarch64.whl",
		"2303372a85299b6757b0e11e1cbf13e410ddf7e10c37f4b37e99d1c90e7daf7c"),
	"darwin/arm64": library(35_272_344, "fa585fabbea65b823b9a8f7e27d46aee3989d1be7e36b528203d3a1fd613aae7",
		"onnxruntime/capi/libonnxruntime.1.32.0.dylib", "onnxruntime-1.32.0-cp311-cp311-macosx_14_0_arm64.whl",
		"366b9e53d07812cc5c92822cecf7563b76a8a0f32ba3bb8dd232a206ac3bcb6c"),
}

func library(size int64, sha256, member, file, wheelSHA256 string) File {
	return File{
		Name: Library, Version: "ONNX Runtime 1.32.0", Licence: "MIT", Size: size, SHA256: sha256,
		wheel: wheel{"onnxruntime", file, wheelSHA256}, member: member,
	}
}

// Known returns the files of this platform, or none if the library is not available for it.
func Known() []File {
	lib, ok := libraries[runtime.GOOS+"/"+runtime.GOARCH]
	if !ok {
		return nil
	}
	return append([]File{lib}, networks...)
}
