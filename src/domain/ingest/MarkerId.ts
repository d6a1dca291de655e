const withDashes = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`

const isLower = (unit: number): boolean => (unit >= 48 && unit <= 57) || (unit >= 97 && unit <= 102)
const isUpper = (unit: number): boolean => unit >= 65 && unit <= 70
const isDashAt = (index: number): boolean => index === 8 || index === 13 || index === 18 || index === 23

/** A UUID, written in any case and with or without dashes, in lower case with dashes; null for anything else. */
export const canonicalMarkerId = (value: unknown): string | null => {
  if (typeof value !== "string" || (value.length !== 36 && value.length !== 32)) return null
  const isDashed = value.length === 36
  let isCanonical = isDashed
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i)
    if (isLower(unit) && !(isDashed && isDashAt(i))) continue
    if (isDashed && isDashAt(i) ? unit !== 45 : !isUpper(unit)) return null
    if (unit !== 45) isCanonical = false
  }
  if (isCanonical) return value
  return isDashed ? value.toLowerCase() : withDashes(value.toLowerCase())
}

/** The two digits of each byte. */
const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** The version 4 UUID (RFC 9562) made of the 16 random bytes at `offset`. */
export const markerIdOf = (random: Uint8Array, offset: number): string => {
  let hex = ""
  for (let at = 0; at < 16; at++) {
    const byte = random[offset + at]!
    hex += digits[at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte]!
  }
  return withDashes(hex)
}

/** The digit of a UUID of the variant of RFC 9562 for each digit that might stand there. */
const variant = Object.fromEntries([..."0123456789abcdef"].map((digit, at) => [digit, "89ab"[at % 4] ?? ""]))

/** The same of the first 16 bytes in hexadecimal digits of lower case. */
export const markerIdOfDigits = (random: string): string =>
  `${random.slice(0, 8)}-${random.slice(8, 12)}-4${random.slice(13, 16)}-${variant[random[16] ?? ""] ?? ""}${random.slice(17, 20)}-${random.slice(20, 32)}`
