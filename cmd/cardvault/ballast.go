package main

// ballastBlocks is how much of the heap is never used, in blocks of a MiB. The garbage collector runs whenever
// the heap has doubled; with the little that a request or a delivery leaves behind that is dozens of times
// a second under load. These blocks take no memory, for nothing touches them, but are part of what must double.
// (GOGC=400 would spare as much, and let the photos of an identification grow fivefold.)
const ballastBlocks = 40

// ballast is for whoever keeps it alive. It is not one piece, because Go clears all of a piece that reuses memory
// anywhere, and what has been cleared takes memory.
func ballast() [][]byte {
	blocks := make([][]byte, ballastBlocks)
	for i := range blocks {
		blocks[i] = make([]byte, 1<<20)
	}
	return blocks
}
