package photos

import "encoding/binary"

// upright is the Exif orientation of a photo that is not rotated.
const upright = 1

// The fields of TIFF 6.0 section 2 that are needed to find one tag.
const (
	tagOrientation = 0x0112
	typeShort      = 3
	entrySize      = 12
)

// orientationOf returns the orientation in Exif data, a TIFF header and directory. Missing or invalid data
// means upright, as in image viewers.
func orientationOf(tiff []byte) int {
	order, ok := byteOrder(tiff)
	if !ok {
		return upright
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return upright
	}
	count := uint64(order.Uint16(tiff[at:]))
	for i := range count {
		begin := at + 2 + i*entrySize
		if begin+entrySize > uint64(len(tiff)) {
			return upright
		}
		entry := tiff[begin : begin+entrySize]
		if order.Uint16(entry) != tagOrientation || order.Uint16(entry[2:]) != typeShort {
			continue
		}
		if o := int(order.Uint16(entry[8:])); o >= 1 && o <= 8 {
			return o
		}
		return upright
	}
	return upright
}

// byteOrder reads the TIFF header: "II" or "MM", 42, and the directory's offset.
func byteOrder(tiff []byte) (binary.ByteOrder, bool) {
	if len(tiff) < 8 {
		return nil, false
	}
	switch string(tiff[:4]) {
	case "II*\x00":
		return binary.LittleEndian, true
	case "MM\x00*":
		return binary.BigEndian, true
	}
	return nil, false
}

// exifOf returns Exif data with only the orientation.
func exifOf(orientation int) []byte {
	b := []byte("MM\x00*")
	b = binary.BigEndian.AppendUint32(b, 8) // the directory follows this header
	b = binary.BigEndian.AppendUint16(b, 1) // with one entry
	b = binary.BigEndian.AppendUint16(b, tagOrientation)
	b = binary.BigEndian.AppendUint16(b, typeShort)
	b = binary.BigEndian.AppendUint32(b, 1)
	b = binary.BigEndian.AppendUint16(b, uint16(orientation))
	b = binary.BigEndian.AppendUint16(b, 0) // pads the value to four bytes
	return binary.BigEndian.AppendUint32(b, 0)
}
