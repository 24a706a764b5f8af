package main

// ballastSize is how much of the heap is never used, in bytes. The garbage collector runs whenever
// the heap has doubled; with the little that a request or a delivery leaves behind that is dozens of times
// a second under load. This block takes no memory, for nothing touches it, but is part of what must double.
// (GOGC=400 would spare as much, and let the photos of an identification grow fivefold.)
const ballastSize = 40 << 20

// ballast is for whoever keeps it alive.
func ballast() []byte { return make([]byte, ballastSize) }
