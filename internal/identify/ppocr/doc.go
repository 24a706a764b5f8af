// Package ppocr reads the text on a photo with the networks of PP-OCR: one finds lines of text, the other reads each.
//
// Engine.Read finds the lines anywhere on the photo and at any angle, determines which way up the text is, and reads
// every line upright. It needs no outline of a card. The constants of the preparation and of the decoding are those
// with which the networks were trained.
//
// The networks themselves are passed in: *onnx.Session implements Network. Read uses one thread.
package ppocr
