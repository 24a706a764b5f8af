package netguard

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"time"
)

// TLSFault describes why a handshake with a server failed (ClassTLS), and the remedy. Unlike the error, it contains no
// address of the service's own network.
func TLSFault(err error) string {
	var (
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		authority x509.UnknownAuthorityError
		record    tls.RecordHeaderError
		alert     *net.OpError
	)
	switch {
	case errors.As(err, &name):
		return "the certificate is for another host name; get one for the name in the address"
	case errors.As(err, &invalid):
		return invalidCertificate(invalid)
	case errors.As(err, &authority):
		if isSelfSigned(authority.Cert) {
			return "the certificate is self-signed; get one from a public authority"
		}
		return "the certificate is from an unknown authority; use a public one, and send its intermediate ones too"
	case errors.As(err, &record):
		return "the port answers without TLS; use the port of HTTPS"
	case errors.As(err, &alert) && alert.Op == "remote error":
		return "the server refused the handshake (" + alert.Err.Error() + "); enable TLS 1.2 or later there"
	}
	return "no secure connection, check certificate and protocol version"
}

func invalidCertificate(err x509.CertificateInvalidError) string {
	switch {
	case err.Reason == x509.Expired && err.Cert != nil && time.Now().Before(err.Cert.NotBefore):
		return "the certificate is not valid yet; check the clock of the server that issued it"
	case err.Reason == x509.Expired:
		return "the certificate has expired; renew it"
	}
	return "the certificate is not valid for a server; get another one"
}

// isSelfSigned reports whether a certificate was signed by its own key.
func isSelfSigned(c *x509.Certificate) bool {
	return c != nil && c.CheckSignature(c.SignatureAlgorithm, c.RawTBSCertificate, c.Signature) == nil
}
