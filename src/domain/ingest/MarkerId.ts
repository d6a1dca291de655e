const compact = /^[0-9a-f]{32}$/i
const dashed = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const withDashes = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`

/** The lower-case dashed form of a UUID written with or without dashes in any case; null for anything else. */
export const canonicalMarkerId = (value: unknown): string | null => {
  if (typeof value !== "string") return null
  if (value.length === 36) return dashed.test(value) ? value.toLowerCase() : null
  return value.length === 32 && compact.test(value) ? withDashes(value.toLowerCase()) : null
}

const hex = (byte: number): string => byte.toString(16).padStart(2, "0")

/** A version 4 UUID (RFC 9562) of the 16 random bytes at `offset`. */
export const markerIdOf = (random: Uint8Array, offset: number): string => {
  const bytes = random.slice(offset, offset + 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return withDashes(Array.from(bytes, hex).join(""))
}
