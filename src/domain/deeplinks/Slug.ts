const alphabet = "abcdefghjkmnpqrstuvwxyz23456789"

/** A slug with one character for each byte, from letters and digits that are hard to confuse. */
export const slugOf = (random: Uint8Array): string =>
  Array.from(random, (byte) => alphabet[byte % alphabet.length]).join("")
