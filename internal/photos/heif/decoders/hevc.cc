// A decoder of HEVC pictures: libde265 behind the functions of picture.h. The input is a sequence of units, each with
// its length in four bytes, parameter sets first.
#include <cstdlib>

#include <libde265/de265.h>

#include "picture.h"

static uint8_t *coded;
static de265_decoder_context *decoder;
static picture decoded;

static void reset() {
  if (decoder) {
    de265_free_decoder(decoder);
    decoder = nullptr;
  }
  free(coded);
  coded = nullptr;
}

uint8_t *input(uint32_t size) {
  reset();
  return coded = static_cast<uint8_t *>(malloc(size));
}

static bool push(uint32_t size) {
  for (uint32_t at = 0; at < size;) {
    if (size - at < 4) {
      return false;
    }
    const uint8_t *p = coded + at;
    const uint32_t length = uint32_t(p[0]) << 24 | p[1] << 16 | p[2] << 8 | p[3];
    at += 4;
    if (length > size - at) {
      return false;
    }
    if (length > 0 && de265_push_NAL(decoder, coded + at, length, 0, nullptr) != DE265_OK) {
      return false;
    }
    at += length;
  }
  return de265_flush_data(decoder) == DE265_OK;
}

// fine reports whether the decoder found nothing wrong. It replaces pixels that are missing and says so in a warning.
static bool fine() {
  for (;;) {
    switch (de265_get_warning(decoder)) {
    case DE265_OK:
      return true;
    case DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING:
    case DE265_WARNING_WARNING_BUFFER_FULL:
      continue;
    default:
      return false;
    }
  }
}

static void describe(const de265_image *image) {
  decoded.width = de265_get_image_width(image, 0);
  decoded.height = de265_get_image_height(image, 0);
  decoded.layout = de265_get_chroma_format(image);
  decoded.depth = de265_get_bits_per_pixel(image, 0);
  for (int i = 0; i < (decoded.layout ? 3 : 1); i++) {
    int stride = 0;
    const uint8_t *plane = de265_get_image_plane(image, i, &stride);
    decoded.planes[i] = reinterpret_cast<uintptr_t>(plane);
    decoded.strides[i] = stride;
  }
  decoded.full_range = de265_get_image_full_range_flag(image);
  decoded.primaries = de265_get_image_colour_primaries(image);
  decoded.transfer = de265_get_image_transfer_characteristics(image);
  decoded.matrix = de265_get_image_matrix_coefficients(image);
}

uint32_t decode(uint32_t size) {
  // The library makes tables for its first decoder and frees them with its last, unless it was initialized before.
  static const de265_error initialized = de265_init();
  decoder = initialized == DE265_OK ? de265_new_decoder() : nullptr;
  if (!decoder) {
    return 0;
  }
  de265_set_parameter_bool(decoder, DE265_DECODER_PARAM_SUPPRESS_FAULTY_PICTURES, true);
  if (!push(size)) {
    return 0;
  }
  for (int more = 1; more;) {
    if (de265_decode(decoder, &more) != DE265_OK) {
      return 0;
    }
    if (const de265_image *image = de265_peek_next_picture(decoder)) {
      // The samples of all planes have the same size for picture.h.
      if (de265_get_chroma_format(image) != de265_chroma_mono &&
          de265_get_bits_per_pixel(image, 0) != de265_get_bits_per_pixel(image, 1)) {
        return 0;
      }
      describe(image);
      return fine();
    }
  }
  return 0;
}

const picture *describe() { return &decoded; }
