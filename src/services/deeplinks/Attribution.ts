import { Effect, Option } from "effect"
import type { Environment } from "../../domain/access/Organization.ts"
import type { Event } from "../../domain/analytics/markers/Event.ts"
import { type Claim, claimsOf, convertedAt } from "../../domain/deeplinks/Attribution.ts"
import type { Click } from "../../domain/deeplinks/Click.ts"
import { markerIdOf } from "../../domain/ingest/MarkerId.ts"
import { ClickRepo } from "../../ports/deeplinks/ClickRepo.ts"
import { DeeplinkRepo } from "../../ports/deeplinks/DeeplinkRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { whole } from "../Whole.ts"
import { Clicks } from "./Clicks.ts"

/** Type of the marker that puts a converted click into its unit's history. */
export const clickMarker = "$deeplinkClick"

/** Finds the clicks that markers came of. */
export class Attribution extends Effect.Service<Attribution>()("services/deeplinks/Attribution", {
  effect: Effect.gen(function* () {
    const clicks = yield* Clicks
    const deeplinks = yield* DeeplinkRepo
    const repo = yield* ClickRepo
    const secrets = yield* Secrets
    const store = yield* EventStore

    /** The same click of the same unit makes the same marker, so that it is stored once however often it is tried. */
    const markerOf = ({ event }: Claim, click: Click, slug: string): Event => {
      const { deeplinkId, interactionId, clickedAt, source, country, device } = click
      return {
        markerId: markerIdOf(secrets.fingerprint(`${clickMarker}\n${interactionId}\n${event.unitId}`), 0),
        type: clickMarker,
        unitId: event.unitId,
        sessionId: null,
        serverId: null,
        timestamp: clickedAt,
        receivedAt: event.receivedAt,
        clamped: false,
        arguments: {
          deeplinkId,
          slug,
          device,
          ...(source === null ? {} : { source }),
          ...(country === null ? {} : { country })
        },
        properties: {},
        position: null
      }
    }

    const convertOne = Effect.fnUntraced(function* (environment: Environment, claim: Claim) {
      const click = yield* repo.find(claim.interactionId)
      if (Option.isNone(click)) return
      const { visitor: _, ...seen } = click.value
      const deeplink = yield* deeplinks.find(environment.applicationId, seen.deeplinkId)
      if (Option.isNone(deeplink)) return
      const at = convertedAt(claim, click.value, deeplink.value)
      if (at === null) return
      const { unitId, receivedAt } = claim.event
      yield* store.append(environment.id, receivedAt, [markerOf(claim, click.value, deeplink.value.slug)])
      yield* repo.convert({ ...seen, environmentId: environment.id, unitId, convertedAt: at })
    }, whole)

    /** Records the conversions among markers that are stored. Doing it again changes nothing. */
    const convert = Effect.fn("Attribution.convert")(function* (
      environment: Environment,
      events: ReadonlyArray<Event>
    ) {
      const claims = claimsOf(events)
      if (claims.length === 0) return
      yield* clicks.flush
      yield* Effect.forEach(claims, (claim) => convertOne(environment, claim), { discard: true })
    }, whole)

    return { convert } as const
  })
}) {}
