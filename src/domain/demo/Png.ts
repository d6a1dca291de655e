type Color = readonly [red: number, green: number, blue: number]

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** The most bytes of a stored block of a zlib stream (RFC 1951, 3.2.4). */
const blockBytes = 65_535

const crcTable = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1
  return crc >>> 0
})

const crc32 = (bytes: ReadonlyArray<number>): number => {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

const adler32 = (bytes: ReadonlyArray<number>): number => {
  let [a, b] = [1, 0]
  for (const byte of bytes) {
    a = (a + byte) % 65_521
    b = (b + a) % 65_521
  }
  return ((b << 16) | a) >>> 0
}

const fourBytes = (value: number): ReadonlyArray<number> => [
  (value >>> 24) & 0xff,
  (value >>> 16) & 0xff,
  (value >>> 8) & 0xff,
  value & 0xff
]

const chunk = (type: string, data: ReadonlyArray<number>): Array<number> => {
  const named = [...type].map((letter) => letter.charCodeAt(0)).concat(data)
  return [...fourBytes(data.length), ...named, ...fourBytes(crc32(named))]
}

/** A zlib stream (RFC 1950) of the bytes as they are. */
const stored = (bytes: ReadonlyArray<number>): ReadonlyArray<number> => {
  const stream = [0x78, 0x01]
  for (let from = 0; from < bytes.length; from += blockBytes) {
    const block = bytes.slice(from, from + blockBytes)
    const isLast = from + blockBytes >= bytes.length
    const length = [block.length & 0xff, block.length >>> 8]
    stream.push(isLast ? 1 : 0, ...length, ...length.map((byte) => byte ^ 0xff))
    for (const byte of block) stream.push(byte)
  }
  return stream.concat(fourBytes(adler32(bytes)))
}

/**
 * A PNG image (ISO/IEC 15948) of at most 16 colours, two pixels a byte, not compressed. `colorAt` answers the index of a pixel's colour;
 * the width is even.
 */
export const indexedPng = (
  width: number,
  height: number,
  palette: ReadonlyArray<Color>,
  colorAt: (column: number, row: number) => number
): Uint8Array => {
  const rows: Array<number> = []
  for (let row = 0; row < height; row++) {
    rows.push(0)
    for (let column = 0; column < width; column += 2) rows.push((colorAt(column, row) << 4) | colorAt(column + 1, row))
  }
  const header = [...fourBytes(width), ...fourBytes(height), 4, 3, 0, 0, 0]
  return Uint8Array.from(
    signature.concat(
      chunk("IHDR", header),
      chunk("PLTE", palette.flat()),
      chunk("IDAT", [...stored(rows)]),
      chunk("IEND", [])
    )
  )
}
