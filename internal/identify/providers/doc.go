// Package providers has the identification providers, each in a package of its own below it, and tests of them with
// real photos. It contains no code.
package providers
