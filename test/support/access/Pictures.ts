const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0))

const bigEndian = (value: number, length: number) =>
  Array.from({ length }, (_, index) => (value >>> (8 * (length - 1 - index))) & 0xff)

const littleEndian = (value: number, length: number) => bigEndian(value, length).reverse()

/** The smallest heads by which each format tells its size. */
export const png = (width: number, height: number) =>
  Uint8Array.from([
    0x89,
    ...ascii("PNG\r\n\u001a\n"),
    ...bigEndian(13, 4),
    ...ascii("IHDR"),
    ...bigEndian(width, 4),
    ...bigEndian(height, 4),
    8,
    6,
    0,
    0,
    0
  ])

export const gif = (width: number, height: number) =>
  Uint8Array.from([...ascii("GIF89a"), ...littleEndian(width, 2), ...littleEndian(height, 2), 0, 0, 0])

export const jpeg = (width: number, height: number) =>
  Uint8Array.from([
    ...[0xff, 0xd8, 0xff, 0xe0, 0, 16],
    ...ascii("JFIF\0"),
    ...[1, 1, 0, 0, 1, 0, 1, 0, 0],
    ...[0xff, 0xc0, 0, 11, 8],
    ...bigEndian(height, 2),
    ...bigEndian(width, 2),
    ...[1, 1, 0x11, 0, 0xff, 0xd9]
  ])

export const webp = (width: number, height: number) =>
  Uint8Array.from([
    ...ascii("RIFF"),
    ...littleEndian(22, 4),
    ...ascii("WEBPVP8X"),
    ...littleEndian(10, 4),
    ...[0, 0, 0, 0],
    ...littleEndian(width - 1, 3),
    ...littleEndian(height - 1, 3)
  ])

export const svg = new TextEncoder().encode(
  '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>'
)
