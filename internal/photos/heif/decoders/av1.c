// A decoder of AV1 pictures: dav1d behind the functions of picture.h. The input is a temporal unit.
#include <stdlib.h>
#include <string.h>

#include <dav1d/dav1d.h>

#include "picture.h"

static uint8_t *coded;
static Dav1dContext *decoder;
static Dav1dPicture shown;
static struct picture decoded;

static void reset(void) {
  if (decoder) {
    if (shown.data[0]) {
      dav1d_picture_unref(&shown);
    }
    dav1d_close(&decoder);
  }
  free(coded);
  coded = NULL;
}

uint8_t *input(uint32_t size) {
  reset();
  return coded = malloc(size);
}

// The input lives longer than the decoder.
static void keep(const uint8_t *data, void *cookie) {}

static int open(void) {
  Dav1dSettings settings;
  dav1d_default_settings(&settings);
  settings.n_threads = 1;
  settings.max_frame_delay = 1;
  settings.logger.callback = NULL;
  return dav1d_open(&decoder, &settings) == 0;
}

uint32_t decode(uint32_t size) {
  Dav1dData data = {0};
  if (!open() || dav1d_data_wrap(&data, coded, size, keep, NULL) < 0) {
    return 0;
  }
  memset(&shown, 0, sizeof shown);
  int result = 0;
  do {
    result = dav1d_send_data(decoder, &data);
    if (result < 0 && result != DAV1D_ERR(EAGAIN)) {
      break;
    }
    result = dav1d_get_picture(decoder, &shown);
  } while (result == DAV1D_ERR(EAGAIN) && data.sz > 0);
  if (data.sz > 0) {
    dav1d_data_unref(&data);
  }
  if (result < 0) {
    return 0;
  }
  decoded.width = shown.p.w;
  decoded.height = shown.p.h;
  decoded.layout = shown.p.layout;
  decoded.depth = shown.p.bpc;
  for (int i = 0; i < 3; i++) {
    decoded.planes[i] = (uintptr_t)shown.data[i];
    decoded.strides[i] = shown.stride[i > 0];
  }
  decoded.full_range = shown.seq_hdr->color_range;
  decoded.primaries = shown.seq_hdr->pri;
  decoded.transfer = shown.seq_hdr->trc;
  decoded.matrix = shown.seq_hdr->mtrx;
  return 1;
}

const struct picture *describe(void) { return &decoded; }
