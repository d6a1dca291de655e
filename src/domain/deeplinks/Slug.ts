const alphabet = "abcdefghjkmnpqrstuvwxyz23456789"

/** A slug of one character for each byte, none of which is easily taken for another one. */
export const slugOf = (random: Uint8Array): string =>
  Array.from(random, (byte) => alphabet[byte % alphabet.length]).join("")
