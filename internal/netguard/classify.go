package netguard

import (
	"context"
	"errors"
	"io"
	"net"
)

// Class is the kind of an error of a request, for stored attempts and metrics. Its values never change.
type Class string

// The classes.
const (
	ClassForbidden Class = "forbidden" // the Guard refuses the address
	ClassDNS       Class = "dns"       // the name could not be resolved
	ClassTimeout   Class = "timeout"   // a deadline passed
	ClassTLS       Class = "tls"       // the handshake failed: certificate, version, cipher
	ClassConnect   Class = "connect"   // the connection failed or was closed
	ClassOther     Class = "other"     // anything else, such as a malformed response
)

// Classify returns the class of an error of a Guard's client, or "" for nil. The timeout of a name server is dns, not
// timeout, so that customers look for the problem there. Show the class to customers instead of the error, whose text
// can contain the address of the service's own resolver.
func Classify(err error) Class {
	var (
		dns       *net.DNSError
		timeout   net.Error
		handshake *handshakeError
		op        *net.OpError
	)
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrForbidden):
		return ClassForbidden
	case errors.As(err, &dns):
		return ClassDNS
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return ClassTimeout
	case errors.As(err, &handshake):
		return ClassTLS
	case errors.As(err, &op), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return ClassConnect
	}
	return ClassOther
}
