import { Effect } from "effect"
import { Forbidden } from "../../../schema/access/AccessErrors.ts"
import { Principal } from "../../../schema/access/Auth.ts"
import { keyOf, userOf } from "../../domain/access/Principal.ts"
import type { ApplicationId, EnvironmentId, OrganizationId, UserId } from "../../domain/Ids.ts"
import { type LiveKind, liveKinds, permissionOf } from "../../domain/live/LiveKind.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Credentials } from "../access/Credentials.ts"
import { Policy } from "../access/Policy.ts"
import { Rights } from "../access/Rights.ts"
import type { Cookie } from "../access/Sessions.ts"

interface Place {
  readonly applicationId: ApplicationId
  readonly environmentId: EnvironmentId
}

/** Somebody who may listen, and to what. */
export interface Audience {
  /** Stands for the credential and the place: who shares it may hear the same. */
  readonly name: string
  readonly userId: UserId
  readonly organizationId: OrganizationId
  readonly kinds: ReadonlySet<LiveKind>
  /** The kinds as they are now; null once the credential has ended or the environment may not be seen any more. */
  readonly kindsNow: Effect.Effect<ReadonlySet<LiveKind> | null>
}

/** Who may hear what of an environment: of each kind of event whoever may read it. */
export class LiveAccess extends Effect.Service<LiveAccess>()("services/live/LiveAccess", {
  effect: Effect.gen(function* () {
    const credentials = yield* Credentials
    const secrets = yield* Secrets
    const policy = yield* Policy
    const rights = yield* Rights

    const heard = Effect.fnUntraced(function* ({ applicationId, environmentId }: Place) {
      const { application } = yield* policy.environment("projects:read", applicationId, environmentId)
      const held = (yield* rights.heldOrNothing(application.organizationId))(applicationId)
      const kinds: ReadonlySet<LiveKind> = new Set(liveKinds.filter((kind) => held.has(permissionOf[kind])))
      return { organizationId: application.organizationId, kinds }
    })

    /** The caller as an audience of the place. The cookie is the one that the caller came with. */
    const audience = Effect.fnUntraced(function* (place: Place, cookie: Cookie) {
      const principal = yield* Principal
      const { organizationId, kinds } = yield* heard(place)
      const user = userOf(principal)
      if (user === null)
        return yield* Effect.fail(
          new Forbidden({ message: "This stream takes a session or a personal access token, and no key" })
        )
      const kindsNow = credentials.again(principal, cookie).pipe(
        Effect.flatMap((present) => Effect.provideService(heard(place), Principal, present)),
        Effect.match({ onFailure: () => null, onSuccess: (now) => now.kinds })
      )
      // The name has the browser in it: a person may be signed in in two, and signed out of one of them.
      const browser = cookie === undefined ? "" : secrets.hash(cookie)
      const credential = keyOf(principal)?.secretHash ?? `session of ${user.id} in ${browser}`
      const name = `${credential} ${place.environmentId}`
      return { name, userId: user.id, organizationId, kinds, kindsNow } satisfies Audience
    })

    return { audience } as const
  })
}) {}
