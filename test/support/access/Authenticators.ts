import { Secret, TOTP } from "otpauth"
import type { Request } from "./Person.ts"
import { password } from "./Person.ts"

/** The code that an app of the key shows now, or so many times 30 seconds later. */
export const codeOf = (secret: string, later = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 30_000 })

/** Gives the one with the cookie an authenticator, whose next good code is `codeOf(secret, 1)`. */
export const setUpFactor = async (request: Request, cookie: string, currentPassword = password) => {
  const headers = { cookie }
  const begun = await request("POST", "/users/me/second-factor", { headers, body: { currentPassword } })
  const { secret, address } = begun.body
  const confirmed = await request("POST", "/users/me/second-factor/confirmation", {
    headers,
    body: { code: codeOf(secret) }
  })
  return { begun, confirmed, secret, address, recoveryCodes: confirmed.body.recoveryCodes }
}
