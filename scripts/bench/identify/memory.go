package main

import (
	"bytes"
	"os"
	"strconv"
)

// resetPeakMemory makes peakMemory count from now. It does so on Linux only.
func resetPeakMemory() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// peakMemory returns the most memory that this process had at once, in bytes, or 0 if the system does not tell.
// Tesseract runs in processes of its own, which are not counted.
func peakMemory() int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(status) {
		if value, ok := bytes.CutPrefix(line, []byte("VmHWM:")); ok {
			kilobytes, _ := strconv.Atoi(string(bytes.Fields(value)[0]))
			return kilobytes << 10
		}
	}
	return 0
}
