import { Effect, Layer, Option, Redacted } from "effect"
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { Passwords } from "../../ports/Passwords.ts"

/** Logarithm of the cost, block size and parallelism of scrypt (RFC 7914). */
export interface ScryptCost {
  readonly ln: number
  readonly r: number
  readonly p: number
}

/** What OWASP's password storage cheat sheet asks for, in 32 MiB. */
const recommended: ScryptCost = { ln: 15, r: 8, p: 3 }

const keyLength = 32
const saltLength = 16

const derive = (password: Redacted.Redacted, salt: Buffer, { ln, r, p }: ScryptCost) =>
  Effect.async<Buffer>((resume) => {
    const N = 2 ** ln
    scrypt(
      Redacted.value(password).normalize("NFKC"),
      salt,
      keyLength,
      { N, r, p, maxmem: 256 * r * (N + p) },
      (error, key) => resume(error === null ? Effect.succeed(key) : Effect.die(error))
    )
  })

const write = ({ ln, r, p }: ScryptCost, salt: Buffer, key: Buffer) =>
  `scrypt$ln=${ln},r=${r},p=${p}$${salt.toString("base64url")}$${key.toString("base64url")}`

/** A cost of at most 2^20 and a salt and a key of the lengths above, so that a spoilt hash is refused and not computed. */
const form = /^scrypt\$ln=([1-9]|1\d|20),r=([1-9]|[1-2]\d|3[0-2]),p=([1-9]|1[0-6])\$([\w-]{22})\$([\w-]{43})$/

const read = (hash: string) => {
  const match = form.exec(hash)
  if (match === null) return Option.none()
  const [, ln, r, p, salt = "", key = ""] = match
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) }
  return Option.some({ cost, salt: Buffer.from(salt, "base64url"), key: Buffer.from(key, "base64url") })
}

/** Passwords as scrypt hashes. A lower cost is for tests. */
export const Scrypt = (cost: ScryptCost = recommended) =>
  Layer.succeed(Passwords, {
    hash: Effect.fn("Passwords.hash")(function* (password) {
      const salt = randomBytes(saltLength)
      return write(cost, salt, yield* derive(password, salt, cost))
    }),
    verify: Effect.fn("Passwords.verify")(function* (password, hash) {
      const known = read(hash)
      if (Option.isNone(known)) return false
      return timingSafeEqual(yield* derive(password, known.value.salt, known.value.cost), known.value.key)
    })
  })
