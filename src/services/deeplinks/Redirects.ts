import { Clock, Effect, Option } from "effect"
import { DeeplinkNotFound } from "../../../schema/deeplinks/DeeplinkErrors.ts"
import { attributionEnd, type Deeplink } from "../../domain/deeplinks/Deeplink.ts"
import { redirectOf } from "../../domain/deeplinks/Redirect.ts"
import { countryOf, deviceOf, isCrawler, sourceOf, visitorNetwork } from "../../domain/deeplinks/Visit.ts"
import { DeeplinkRepo } from "../../ports/deeplinks/DeeplinkRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Clicks } from "./Clicks.ts"

/** What a request tells of who clicked. */
export interface Visit {
  readonly address: string
  readonly userAgent: string
  readonly referrer: string
  readonly query: URLSearchParams
  /** What headers of proxies say, the most trusted first. */
  readonly countries: ReadonlyArray<string | undefined>
  /** Only asks where the link leads. */
  readonly isProbe: boolean
}

/** Sends those who click on to where the deeplink leads, and remembers that they did. */
export class Redirects extends Effect.Service<Redirects>()("services/deeplinks/Redirects", {
  effect: Effect.gen(function* () {
    const { trustProxy } = yield* Settings
    const clicks = yield* Clicks
    const deeplinks = yield* DeeplinkRepo
    const secrets = yield* Secrets

    const record = Effect.fnUntraced(function* (deeplink: Deeplink, visit: Visit) {
      const interactionId = yield* secrets.uuid
      const clickedAt = yield* Clock.currentTimeMillis
      const person = `${deeplink.id}\n${visitorNetwork(visit.address)}\n${visit.userAgent}`
      yield* clicks.record({
        interactionId,
        deeplinkId: deeplink.id,
        clickedAt,
        expiresAt: attributionEnd(deeplink, clickedAt),
        source: sourceOf(visit.query, visit.referrer),
        country: trustProxy ? countryOf(visit.countries) : null,
        device: deviceOf(visit.userAgent),
        visitor: Buffer.from(secrets.fingerprint(person)).toString("base64url").slice(0, 22)
      })
      return interactionId
    })

    /** Where to go on to. Programs that look at links are sent on too, without being counted. */
    const follow = Effect.fnUntraced(function* (slug: string, visit: Visit) {
      const found = yield* deeplinks.findBySlug(slug)
      if (Option.isNone(found) || found.value.archivedAt !== null) {
        return yield* Effect.fail(new DeeplinkNotFound({ message: "There is no such link" }))
      }
      const isCounted = !visit.isProbe && !isCrawler(visit.userAgent)
      return redirectOf(found.value, isCounted ? yield* record(found.value, visit) : null)
    })

    return { follow, trustProxy } as const
  })
}) {}
