// Package ppocr reads the text on a photo with the networks of PP-OCR: one finds lines of text, the other reads each.
//
// Engine.Find finds the lines anywhere on the photo and at any angle, and determines which way up the text is, for
// which it reads up to four of them. Engine.Read reads lines upright: callers choose those that they need, because
// reading takes longer than finding. It needs no outline of a card. The constants of the preparation and of the
// decoding are those with which the networks were trained.
//
// The networks themselves are passed in: *onnx.Session implements Network. Each call uses one thread.
package ppocr
