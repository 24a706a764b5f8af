//go:build !unix

package subprocess

import "syscall"

func ownSession() *syscall.SysProcAttr { return nil }

func lowerPriority(int) {}
