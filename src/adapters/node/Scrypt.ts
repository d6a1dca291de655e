import { Effect, Layer, Option, Redacted } from "effect"
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { Passwords } from "../../ports/access/Passwords.ts"

/** The cost of scrypt (RFC 7914): `ln` is the binary logarithm of N, `r` the block size, `p` the parallelism. */
export interface ScryptCost {
  readonly ln: number
  readonly r: number
  readonly p: number
}

/** The parameters that OWASP's password storage cheat sheet recommends, using 32 MiB for each hash. */
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

/** RFC 7914 demands N < 2^(16 r). The other bounds keep a forged hash from demanding unbounded work. */
const isUsable = ({ ln, r, p }: ScryptCost): boolean =>
  ln >= 1 && ln <= 20 && ln < 16 * r && r <= 16 && p >= 1 && p <= 16

const read = (hash: string) => {
  const match = /^scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(hash)
  if (match === null) return Option.none()
  const [, ln, r, p, salt = "", key = ""] = match
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) }
  if (!isUsable(cost)) return Option.none()
  return Option.some({ cost, salt: Buffer.from(salt, "base64url"), key: Buffer.from(key, "base64url") })
}

/** Hashes passwords by scrypt. Tests pass a lower cost. */
export const Scrypt = (cost: ScryptCost = recommended) =>
  Layer.succeed(Passwords, {
    hash: Effect.fnUntraced(function* (password) {
      const salt = randomBytes(saltLength)
      return write(cost, salt, yield* derive(password, salt, cost))
    }),
    verify: Effect.fnUntraced(function* (password, hash) {
      const known = read(hash)
      if (Option.isNone(known) || known.value.key.length !== keyLength) return false
      return timingSafeEqual(yield* derive(password, known.value.salt, known.value.cost), known.value.key)
    })
  })
