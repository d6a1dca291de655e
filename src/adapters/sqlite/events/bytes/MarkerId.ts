const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

const nibble = (code: number): number => (code < 58 ? code - 48 : (code | 32) - 87)

export const markerIdBytes = 16

/** Writes the 128 bits of a UUID with dashes. */
export const writeMarkerId = (id: string, into: Uint8Array, offset: number): void => {
  let at = 0
  for (let byte = 0; byte < markerIdBytes; byte++) {
    if (at === 8 || at === 13 || at === 18 || at === 23) at++
    into[offset + byte] = (nibble(id.charCodeAt(at)) << 4) | nibble(id.charCodeAt(at + 1))
    at += 2
  }
}

/** By code of a character, what it is worth as a digit of a UUID in lower case; 16 for all others. */
const digits = Uint8Array.from({ length: 256 }, (_, code) =>
  code >= 48 && code <= 57 ? code - 48 : code >= 97 && code <= 102 ? code - 87 : 16
)

/** Writes the 128 bits of the text from `start` to `end`, if that is a UUID in lower case with dashes. */
export const writeCanonicalId = (
  text: Uint8Array,
  start: number,
  end: number,
  into: Uint8Array,
  offset: number
): boolean => {
  if (end - start !== 36) return false
  let at = start
  let seen = 0
  for (let byte = 0; byte < markerIdBytes; byte++) {
    if (byte === 4 || byte === 6 || byte === 8 || byte === 10) if (text[at++] !== 45) return false
    const high = digits[text[at++]!]!
    const low = digits[text[at++]!]!
    seen |= high | low
    into[offset + byte] = (high << 4) | low
  }
  return seen < 16
}

/** The UUID in lower case with dashes. */
export const readMarkerId = (bytes: Uint8Array, offset: number): string => {
  let id = ""
  for (let byte = 0; byte < markerIdBytes; byte++) {
    if (byte === 4 || byte === 6 || byte === 8 || byte === 10) id += "-"
    id += hex[bytes[offset + byte]!]!
  }
  return id
}

const canonical = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A name as the dictionaries store it: 16 bytes for a UUID in lower case, the text itself for anything else. */
export const storedName = (name: string): string | Uint8Array => {
  if (name.length !== 36 || !canonical.test(name)) return name
  const bytes = new Uint8Array(markerIdBytes)
  writeMarkerId(name, bytes, 0)
  return bytes
}

export const readName = (stored: string | Uint8Array): string =>
  typeof stored === "string" ? stored : readMarkerId(stored, 0)
