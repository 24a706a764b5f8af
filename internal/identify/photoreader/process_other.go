//go:build !unix

package photoreader

import "syscall"

func ownSession() *syscall.SysProcAttr { return nil }

func lowerPriority(int) {}

// LimitMemory does nothing.
func LimitMemory(uint64) error { return nil }
