/** The bits that say version 4, by the place of their byte: RFC 9562, section 5.4. */
const fixed = (byte: number, at: number): number => {
  if (at === 6) return (byte & 0x0f) | 0x40
  return at === 8 ? (byte & 0x3f) | 0x80 : byte
}

/** A random UUID. `crypto.randomUUID` is not there in pages without TLS. */
export const newMarkerId = (): string => {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte, at) => fixed(byte, at).toString(16).padStart(2, "0"))
    .join("")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}
