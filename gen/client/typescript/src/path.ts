/** Returns a path with each value encoded as one segment: path`/cards/${id}`. */
export function path(literals: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: literals }, ...values.map(segment))
}

/** Encodes a segment. Empty segments, `.` and `..` are errors, because the URL would be that of another operation. */
function segment(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`"${value}" is not an identifier`)
  return encodeURIComponent(value)
}
