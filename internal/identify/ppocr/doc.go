// Package ppocr reads the text on a photo with the networks of PP-OCR: one finds lines of text, the other reads a line.
//
// Engine.Find finds the lines anywhere on the photo and at any angle. It reads up to four lines to determine which way
// up the text is. Engine.Read reads lines upright: callers choose the lines that they need, because reading takes
// longer than finding. It needs no outline of a card. The constants of the preparation and of the decoding are the ones
// with which the networks were trained.
//
// The networks themselves are passed in: *onnx.Session implements Network. Each call uses one thread.
package ppocr
