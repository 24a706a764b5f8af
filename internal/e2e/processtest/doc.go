// Package processtest tests the program from outside, as operators and customers use it: the built binary runs in
// processes of its own on a real PostgreSQL, with kills, restarts, several servers and clients that misbehave. It
// contains only tests. Behavior that is not visible from outside is tested in the package that implements it.
package processtest
