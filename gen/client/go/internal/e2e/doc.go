// Package e2e holds tests that use the client as its users do, against a real service. They are built with the tag e2e and
// need what scripts/with-server.sh sets up: API, TOKEN, ACCOUNT and the command cardvault. scripts/sdk/go.sh runs them.
package e2e
