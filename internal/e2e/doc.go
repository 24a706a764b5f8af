// Package e2e tests the whole service through HTTP, in one process, on a real PostgreSQL with the sandbox marketplace
// beside it. Every response is validated against the contract, and every operation of the contract must be called.
// Package processtest beneath it tests the program as processes. It holds nothing but tests.
package e2e
