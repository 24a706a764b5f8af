// Package e2e tests the client against a real service in the way its users use it. The tests have the build tag e2e and
// need what scripts/with-server.sh sets up: API, TOKEN, ACCOUNT and the command cardvault. scripts/sdk/go.sh runs them.
package e2e
