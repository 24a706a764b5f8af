/** A photo for `scanCards`: a File, or the name of a file and its content, such as a Buffer or a Blob. */
export type ScanPhoto = File | { name: string; data: Blob | ArrayBuffer | Uint8Array }

/** The slowest upload that does not time out, in bytes per millisecond: one megabit per second. */
const uploadRate = (128 * 1024) / 1000

/** Returns the form of the fields and how long its upload may take. Lists are photos; other values are texts. */
export function encodeForm(fields: object): { body: FormData; uploadTime: number } {
  const body = new FormData()
  let size = 0
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue
    if (!Array.isArray(value)) {
      body.append(name, String(value))
      continue
    }
    for (const photo of value as ScanPhoto[]) {
      const file = photo instanceof Blob ? photo : new Blob([photo.data as BlobPart])
      body.append(name, file, photo.name)
      size += file.size
    }
  }
  return { body, uploadTime: size / uploadRate }
}
