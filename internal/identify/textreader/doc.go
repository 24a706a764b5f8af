// Package textreader reads text in child processes. The networks run in a native library: a fault there ends the
// process, and a call cannot be stopped. In a child, a fault costs one attempt, an overrun is ended by killing it, and
// all memory that the library holds is returned with it. A child gets the pixels of a picture, never an encoded file,
// and none of the service's settings, so it has no secret to lose. Sending the pixels takes about 10 ms of 700.
//
// Pool is the side of the service. It starts children when they are needed, at most Config.Size, each of which serves
// one request at a time. Find finds the lines of a picture, and Read reads those that the caller needs. A child keeps
// its last picture, so that it is not sent again for more lines, but no request depends on that. Serve is the side of
// the child: the hidden command cardvault read-text. They exchange the frames of protocol.go over the child's standard
// input and output. The child ends when its input does, so it does not outlive the service.
package textreader
