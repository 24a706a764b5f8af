"""Pictures to upload, some a little too small, so that they are refused as well as taken. All but marked ones
are of one shade, which makes their formats simple enough to write by hand, and which no provider tries to read.
"""

import struct
import zlib
from pathlib import Path

import schemathesis
from hypothesis import strategies as st

SIDES = st.sampled_from([300, 301, 304, 333, 299])
SHADES = st.integers(0, 255)


def png(width: int, height: int, grey: int, marked: bool = False) -> bytes:
    """Marked, it has a spot of another shade in the middle, at which a provider has to look."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    plain, third = bytes([grey]) * width, width // 3
    spotted = plain[:third] + bytes([(grey + 128) % 256]) * third + plain[2 * third :]
    rows = b"".join(b"\0" + (spotted if marked and y * 3 // height == 1 else plain) for y in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def jpeg(width: int, height: int) -> bytes:
    """Mid-grey: no block differs from the one before, so that its two codes, of one bit each, are 0."""
    blocks = -(-width // 8) * -(-height // 8)
    scan = bytes(blocks // 4) + (bytes([0xFF >> (blocks % 4 * 2)]) if blocks % 4 else b"")
    one_code = bytes([1] + [0] * 15 + [0])
    return (
        b"\xff\xd8"
        + segment(0xDB, b"\0" + b"\1" * 64)
        + segment(0xC0, struct.pack(">BHHB", 8, height, width, 1) + b"\1\x11\0")
        + segment(0xC4, b"\x00" + one_code + b"\x10" + one_code)
        + segment(0xDA, b"\1\1\0\0\x3f\0")
        + scan
        + b"\xff\xd9"
    )


def segment(marker: int, data: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def webp(width: int, height: int, grey: int) -> bytes:
    """Lossless: each channel has one value, so that no pixel takes a bit."""
    bits = [(width - 1, 14), (height - 1, 14), (0, 1 + 3 + 3)]
    bits += [(0b101 | grey << 3, 11)] * 3 + [(0b101 | 255 << 3, 11), (0b0001, 4)]
    packed, at = 0, 0
    for value, size in bits:
        packed, at = packed | value << at, at + size
    data = b"\x2f" + packed.to_bytes(-(-at // 8), "little")
    size = struct.pack("<I", len(data))
    data += b"\0" * (len(data) % 2)
    return b"RIFF" + struct.pack("<I", 12 + len(data)) + b"WEBPVP8L" + size + data


def coded(*names: str) -> st.SearchStrategy[bytes]:
    """Files of the service's own tests, because HEIC and AVIF are not simple to write. The last is cut off."""
    files = [(Path(__file__).parents[3] / "internal/photos/heif/testdata" / name).read_bytes() for name in names]
    return st.sampled_from([*files, files[0][:-100]])


schemathesis.openapi.media_type("image/png", st.builds(png, SIDES, SIDES, SHADES))
schemathesis.openapi.media_type("image/jpeg", st.builds(jpeg, SIDES, SIDES))
schemathesis.openapi.media_type("image/webp", st.builds(webp, SIDES, SIDES, SHADES))
schemathesis.openapi.media_type("image/heic", coded("plain.heic", "grid.heic", "rotated.heic"))
schemathesis.openapi.media_type("image/heif", coded("odd.heic", "deep.heic"))
schemathesis.openapi.media_type("image/avif", coded("plain.avif", "alpha.avif", "crop.avif"))
