import { DateTime, Effect, Encoding, Redacted } from "effect"
import { type PasswordReset, resetAddress, resetHours } from "../../../domain/access/PasswordReset.ts"
import type { UserId } from "../../../domain/Ids.ts"
import { PasswordResetRepo } from "../../../ports/access/PasswordResetRepo.ts"
import { Secrets } from "../../../ports/access/Secrets.ts"
import { Settings } from "../../../ports/operations/Settings.ts"

/** Makes links for another password. Asks for no permission: its callers do. */
export class PasswordResetLinks extends Effect.Service<PasswordResetLinks>()("services/access/PasswordResetLinks", {
  effect: Effect.gen(function* () {
    const { publicUrl } = yield* Settings
    const resets = yield* PasswordResetRepo
    const secrets = yield* Secrets

    /** A link for the user that works for so many hours, and replaces the one that they had. Only its hash is stored. */
    const make = Effect.fnUntraced(function* (
      userId: UserId,
      handedOut: PasswordReset["handedOut"],
      hours: number = resetHours
    ) {
      const token = Encoding.encodeBase64Url(yield* secrets.bytes(32))
      const createdAt = yield* DateTime.now
      const expiresAt = DateTime.add(createdAt, { hours })
      yield* resets.put({ userId, tokenHash: secrets.hash(Redacted.make(token)), handedOut, createdAt, expiresAt })
      return { token, url: resetAddress(publicUrl, token), expiresAt }
    })

    return { make } as const
  })
}) {}
