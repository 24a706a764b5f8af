// Package processtest tests the program from outside, as operators and customers meet it: the real
// binary in processes of its own, on a real PostgreSQL, with kills, restarts, several servers and
// clients that misbehave. It holds tests alone and looks into nothing: what is not to be seen from
// outside is tested beside the code that does it.
package processtest
