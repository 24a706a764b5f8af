//go:build !linux

package postgres

import "syscall"

// limitSilence does nothing. Without the kernel's option, only keepalives and deadlines detect a silent peer.
func limitSilence(string, string, syscall.RawConn) error { return nil }

// quiet always returns true. A closed connection is detected when it is used.
func (s *socket) quiet() bool { return true }
