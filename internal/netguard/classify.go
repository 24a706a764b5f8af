package netguard

import (
	"context"
	"errors"
	"io"
	"net"
)

// Class is a stable word for what went wrong in an exchange, for attempts' records and metrics.
type Class string

// The classes.
const (
	ClassForbidden Class = "forbidden" // the service will not go there
	ClassDNS       Class = "dns"       // the name does not resolve
	ClassTimeout   Class = "timeout"   // a deadline passed
	ClassTLS       Class = "tls"       // no handshake: certificate, version, cipher
	ClassConnect   Class = "connect"   // the connection could not be made, or broke
	ClassOther     Class = "other"     // anything else, such as a malformed response
)

// Classify returns the class of an error of a Guard's client, or "" for nil. A name server that
// does not answer is dns, not timeout: the receiver's owner has to look there. Show customers the
// class: the texts of network errors can name the service's own resolver.
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
