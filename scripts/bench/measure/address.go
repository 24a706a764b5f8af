package measure

import "net"

// FreeAddress returns a loopback address on which no program listened a moment ago.
func FreeAddress() string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "127.0.0.1:0" // the program that listens there reports the error
	}
	defer listener.Close()
	return listener.Addr().String()
}
