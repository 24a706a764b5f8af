// Package e2e tests the whole service through HTTP, in one process, with a real PostgreSQL and the sandbox marketplace.
// Every response is validated against the contract, and the tests must call every operation of the contract. Package
// processtest tests the program as processes. Package e2e contains only tests.
package e2e
