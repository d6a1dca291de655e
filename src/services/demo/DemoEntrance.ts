import { unknownPlace } from "../../domain/access/Browser.ts"
import { Clock, Effect, Encoding, Option, Ref } from "effect"
import { isSameSecret } from "../../domain/access/SecretEquality.ts"
import { minuteMillis } from "../../domain/Durations.ts"
import type { UserId } from "../../domain/Ids.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Accounts } from "../access/Accounts.ts"
import type { Cookie } from "../access/Sessions.ts"

/** Minutes for which the way in is open. */
export const openMinutes = 15

interface Door {
  readonly userId: UserId
  /** SHA-256 of the secret that opens it. */
  readonly fingerprint: Uint8Array
  /** Epoch milliseconds. */
  readonly until: number
}

/** A way into the demo studio without a password: one secret, for one browser, for some minutes. */
export class DemoEntrance extends Effect.Service<DemoEntrance>()("services/demo/DemoEntrance", {
  effect: Effect.gen(function* () {
    const accounts = yield* Accounts
    const secrets = yield* Secrets
    const door = yield* Ref.make(Option.none<Door>())

    /** A new secret; the one before opens nothing any more. It is kept nowhere. */
    const open = Effect.fnUntraced(function* (userId: UserId) {
      const secret = Encoding.encodeBase64Url(yield* secrets.bytes(32))
      const until = (yield* Clock.currentTimeMillis) + openMinutes * minuteMillis
      yield* Ref.set(door, Option.some({ userId, fingerprint: secrets.fingerprint(secret), until }))
      return secret
    })

    /** A session of the studio's owner for who shows the secret, the first time. */
    const enter = Effect.fnUntraced(function* (secret: string, cookie: Cookie) {
      const now = yield* Clock.currentTimeMillis
      const shown = secrets.fingerprint(secret)
      const passed = yield* Ref.modify(door, (present) => {
        const found = Option.filter(present, ({ fingerprint }) => isSameSecret(fingerprint, shown))
        return [Option.filter(found, ({ until }) => now < until), Option.isSome(found) ? Option.none() : present]
      })
      return yield* Effect.transposeMapOption(passed, ({ userId }) =>
        accounts.enter(userId, undefined, cookie, { ...unknownPlace, byPasswordAlone: false })
      )
    })

    const { trustProxy, isSecure } = accounts
    return { open, enter, trustProxy, isSecure } as const
  })
}) {}
