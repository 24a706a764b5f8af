//go:build !linux

package postgres

import "syscall"

// limitSilence does nothing: keepalives and deadlines bound the silence of a peer where the kernel has no option.
func limitSilence(string, string, syscall.RawConn) error { return nil }

// quiet is true: what has happened to an idle connection shows when it is used.
func (s *socket) quiet() bool { return true }
