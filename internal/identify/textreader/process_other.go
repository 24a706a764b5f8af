//go:build !unix

package textreader

import "syscall"

func ownSession() *syscall.SysProcAttr { return nil }

// LimitMemory does nothing.
func LimitMemory(uint64) error { return nil }
