const prime = 0x01000193
const start = 0x811c9dc5
const digitZero = 0x30
const highestDivisor = 1_000_000_000

/**
 * 32-bit FNV-1a over the UTF-16 code units of a text, 0 to 2^32 - 1 (Fowler, Noll, Vo; IETF draft-eastlake-fnv). `before`: that of a text
 * which comes before this one.
 */
export const fnv1a32 = (text: string, before: number = start): number => {
  let hash = before
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), prime)
  return hash >>> 0
}

/** The same over the decimal digits of an integer, 0 to 2^32 - 1, without a text of them: every new player is hashed for every experiment. */
const fnv1a32OfDigits = (value: number): number => {
  let [hash, rest, divisor] = [start, value, highestDivisor]
  while (divisor > rest && divisor > 1) divisor /= 10
  for (; divisor >= 1; divisor /= 10) {
    const digit = Math.floor(rest / divisor)
    rest -= digit * divisor
    hash = Math.imul(hash ^ (digitZero + digit), prime)
  }
  return hash >>> 0
}

/** The version that new experiments use. An experiment keeps the version it was created with. */
export const currentVersion = 2

/** Whether ids have places by this version. */
export const isKnownVersion = (version: number): boolean => version === 1 || version === 2

/**
 * A reproducible place of an id in [0, 1) for a seed, as public SDKs compute it. Version 2 has steps of 1/10,000;
 * version 1, older and slightly uneven between seeds, has steps of 1/1,000. Null for an unknown version.
 */
export const hash = (seed: string, id: string, version: number = currentVersion): number | null => {
  if (version === 2) return (fnv1a32OfDigits(fnv1a32(id, fnv1a32(seed))) % 10_000) / 10_000
  return version === 1 ? (fnv1a32(seed, fnv1a32(id)) % 1_000) / 1_000 : null
}
