// Package photoreader computes on photos in child processes: it decodes them, finds outlines of cards with their
// fingerprints, and reads text. This takes a processor for long, so it runs beside the service. Photos that no request
// waits for have a lower priority. The networks that read text run in a native library: a fault there ends the process,
// and a call cannot be stopped. In a child, a fault costs one attempt, killing the child ends an overrun, and the end
// of the child returns all memory that the library holds. The library never gets an encoded file, only pixels. A child
// gets none of the service's settings, so it has no secret to lose.
//
// Pool is the side of the service. It starts children when they are needed, at most Config.Size. A child serves one
// request at a time. Survey surveys a photo, Find finds the lines of a part of it, and Read reads the lines that the
// caller needs. A child keeps its last photo, so that it is sent and decoded once, but no request depends on that.
// Serve is the side of the child: the hidden command cardvault read-photos. They exchange the frames of protocol.go
// over the child's standard input and output. The child ends when its input does, so it does not outlive the service.
package photoreader
