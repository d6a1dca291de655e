const bytesOf = (length: number, write: (view: DataView) => void): Buffer => {
  const bytes = Buffer.alloc(length)
  write(new DataView(bytes.buffer, bytes.byteOffset, length))
  return bytes
}

/** What the header of a file and its entry in the directory have in common. Nothing is compressed, and the checksum is left out. */
const writeSizes = (view: DataView, at: number, name: Buffer, size: number) => {
  view.setUint32(at + 12, size, true)
  view.setUint32(at + 16, size, true)
  view.setUint16(at + 20, name.length, true)
}

/** A zip of files that are stored as they are. */
export const storedZip = (files: Readonly<Record<string, Uint8Array>>): Buffer => {
  const parts: Array<Uint8Array> = []
  const directory: Array<Uint8Array> = []
  let offset = 0
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path)
    const header = bytesOf(30, (view) => {
      view.setUint32(0, 0x04034b50, true)
      view.setUint16(4, 20, true)
      writeSizes(view, 6, name, content.length)
    })
    const entry = bytesOf(46, (view) => {
      view.setUint32(0, 0x02014b50, true)
      view.setUint16(6, 20, true)
      writeSizes(view, 8, name, content.length)
      view.setUint32(42, offset, true)
    })
    parts.push(header, name, content)
    directory.push(entry, name)
    offset += header.length + name.length + content.length
  }
  const length = directory.reduce((sum, each) => sum + each.length, 0)
  const count = Object.keys(files).length
  const end = bytesOf(22, (view) => {
    view.setUint32(0, 0x06054b50, true)
    view.setUint16(8, count, true)
    view.setUint16(10, count, true)
    view.setUint32(12, length, true)
    view.setUint32(16, offset, true)
  })
  return Buffer.concat([...parts, ...directory, end])
}
