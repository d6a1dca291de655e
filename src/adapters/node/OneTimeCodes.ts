import { Effect, Layer, Option } from "effect"
import { Secret, TOTP } from "otpauth"
import { OneTimeCodes } from "../../ports/access/OneTimeCodes.ts"

const secretBytes = 20
const periodSeconds = 30
/** Steps before and after the present one whose codes are good too, as RFC 6238 (5.2) recommends. */
const tolerance = 1

const totp = (secret: string, names: { readonly issuer: string; readonly label: string }) =>
  new TOTP({ ...names, secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: 6, period: periodSeconds })

/** One-time codes by the library otpauth. */
export const OneTimeCodesLive = Layer.succeed(OneTimeCodes, {
  secret: Effect.sync(() => new Secret({ size: secretBytes }).base32),
  address: (secret, issuer, label) => totp(secret, { issuer, label }).toString(),
  stepOf: (secret, code, now) => {
    // The library compares bytes, and throws where a text of six letters has more of them.
    if (!/^[0-9]{6}$/.test(code)) return Option.none()
    const ahead = totp(secret, { issuer: "", label: "" }).validate({ token: code, timestamp: now, window: tolerance })
    return Option.map(Option.fromNullable(ahead), (steps) => Math.floor(now / (periodSeconds * 1000)) + steps)
  }
})
