import type { KeyType } from "./ApiKey.ts"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const randomLength = 32
const checksumLength = 6

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c
})

/** CRC-32 (ISO-HDLC, as in zlib) of an ASCII text. */
export const crc32 = (text: string): number => {
  let c = 0xffffffff
  for (let i = 0; i < text.length; i++) c = table[(c ^ text.charCodeAt(i)) & 0xff]! ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}

const checksum = (text: string): string => {
  let rest = crc32(text)
  let digits = ""
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % 62]! + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Whether keys may begin with it: a header carries it, and no secret key is taken for a public one. */
export const isProduct = (product: string): boolean => /^(?!sdk(?:_|$))[\w.-]{1,32}$/.test(product)

/** The text before a key's random part: `sdk_`, or `gk_sk_` and `gk_pat_` if the product prefix is `gk`. */
export const prefixOf = (type: KeyType, product: string): string =>
  type === "public" ? "sdk_" : type === "secret" ? `${product}_sk_` : `${product}_pat_`

/**
 * 32 base62 characters, one for each random byte below 248 (higher ones would favour some characters). Too few such
 * bytes give a shorter text.
 */
export const randomText = (bytes: Uint8Array): string =>
  Array.from(bytes)
    .filter((byte) => byte < 248)
    .slice(0, randomLength)
    .map((byte) => alphabet[byte % 62])
    .join("")

/**
 * The secret of a key: prefix, random part, and the CRC-32 of both in base62, so that a typo is refused without a
 * lookup.
 */
export const make = (type: KeyType, product: string, random: string): string => {
  const body = prefixOf(type, product) + random
  return body + checksum(body)
}

/** The parts of a secret that may be shown after its creation. */
export const describe = (type: KeyType, product: string, secret: string) => ({
  keyPrefix: secret.slice(0, prefixOf(type, product).length + 4),
  lastFour: secret.slice(-4)
})

/** What stands before the random part, and the random part with its checksum. Neither of these has a `_`. */
const shape = new RegExp(`^(?:sdk_|([\\w.-]+)_(sk|pat)_)[0-9A-Za-z]{${randomLength + checksumLength}}$`)

/**
 * The type of key that a presented text has the shape of; undefined if its length, prefix or checksum is wrong. Any product will do: a key
 * that was made under another prefix is still one.
 */
export const typeOf = (presented: string): KeyType | undefined => {
  const found = shape.exec(presented)
  if (found === null || checksum(presented.slice(0, -checksumLength)) !== presented.slice(-checksumLength))
    return undefined
  const [, product, kind] = found
  if (product === undefined) return "public"
  if (!isProduct(product)) return undefined
  return kind === "sk" ? "secret" : "personal"
}

/** The key or token in the value of an `Authorization` header: the scheme may be written in any case, with any number of blanks, or left out. */
export const presentedIn = (authorization: string): string => authorization.replace(/^bearer +/i, "")
