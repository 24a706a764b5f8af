// What the decoders have in common: they read a coded picture from memory that input returns, and describe the decoded
// one. ../decoder.go calls them.
#ifndef PICTURE_H
#define PICTURE_H

#include <stdint.h>

#ifdef __cplusplus
#define EXPORT(name) extern "C" __attribute__((export_name(#name)))
#else
#define EXPORT(name) __attribute__((export_name(#name)))
#endif

// picture describes a decoded picture. Its fields are those of description in ../decoder.go.
struct picture {
  uint32_t width, height;
  uint32_t layout; // 0: luma only, 1: 4:2:0, 2: 4:2:2, 3: 4:4:4
  uint32_t depth;  // bits of a sample; more than 8 take two bytes
  uint32_t planes[3], strides[3]; // addresses and bytes of Y, Cb and Cr
  uint32_t full_range, primaries, transfer, matrix; // ITU-T H.273
};

// input returns memory for a coded picture of this size, or null.
EXPORT(input) uint8_t *input(uint32_t size);

// decode decodes the picture in the memory that input returned, and returns whether it is complete.
EXPORT(decode) uint32_t decode(uint32_t size);

// describe returns the picture that decode decoded. It is valid until the next call of input.
EXPORT(describe) const struct picture *describe(void);

#endif
