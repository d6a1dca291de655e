/** Bytes that are looked at; text in UTF-8 has no zero among them. */
const lookedAt = 512

const isMarked = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** Whether of the first two pairs of bytes the ones at `place` are zero, and the others are not. */
const isZeroAt = (place: 0 | 1, [a, b, c, d]: Uint8Array): boolean => {
  const [zeros, others] =
    place === 0
      ? [
          [a, c],
          [b, d]
        ]
      : [
          [b, d],
          [a, c]
        ]
  return zeros.every((byte) => byte === 0) && others.every((byte) => byte !== undefined && byte !== 0)
}

/**
 * What keeps bytes that begin so from being read as text, as the rest of a sentence about their file; undefined for text. UTF-16 with a byte order
 * mark is text here: some readers take it.
 */
export const encodingFault = (start: Uint8Array): string | undefined => {
  if (isMarked(start) || !start.subarray(0, lookedAt).includes(0)) return undefined
  return isZeroAt(0, start) || isZeroAt(1, start)
    ? "is UTF-16: save it as UTF-8"
    : "is a binary file, and no text: it can be JSON lines or CSV, as they are or as gzip, Brotli or zip, or Parquet with --from"
}
