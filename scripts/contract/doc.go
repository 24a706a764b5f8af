// Package contract tests the scripts beside it, which check, document and release the contract. It contains only tests.
package contract
