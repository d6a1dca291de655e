import { Effect, Option } from "effect"
import type { Environment } from "../../domain/access/Organization.ts"
import type { Event } from "../../domain/analytics/markers/Event.ts"
import { type Claim, claimsOf, convertedAt } from "../../domain/deeplinks/Attribution.ts"
import type { Click, Conversion } from "../../domain/deeplinks/Click.ts"
import { attributionEnd } from "../../domain/deeplinks/Deeplink.ts"
import { markerIdOf } from "../../domain/ingest/MarkerId.ts"
import { ClickRepo } from "../../ports/deeplinks/ClickRepo.ts"
import { DeeplinkRepo } from "../../ports/deeplinks/DeeplinkRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { ErasedUnits } from "../operations/ErasedUnits.ts"
import { whole } from "../Whole.ts"
import { Clicks } from "./Clicks.ts"

/** Type of the marker that puts a converted click into its unit's history. */
export const clickMarker = "$deeplinkClick"

interface Converted {
  readonly claim: Claim
  readonly marker: Event
  readonly conversion: Conversion
}

/** Finds the clicks that markers came of. */
export class Attribution extends Effect.Service<Attribution>()("services/deeplinks/Attribution", {
  effect: Effect.gen(function* () {
    const clicks = yield* Clicks
    const erased = yield* ErasedUnits
    const deeplinks = yield* DeeplinkRepo
    const repo = yield* ClickRepo
    const secrets = yield* Secrets
    const store = yield* EventStore
    const transaction = yield* Transaction

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

    /** The click that a claim names with its deeplink, where it converts. */
    const conversionOf = Effect.fnUntraced(function* (environment: Environment, claim: Claim) {
      const click = Option.getOrUndefined(yield* repo.find(claim.interactionId))
      if (click === undefined) return []
      const deeplink = Option.getOrUndefined(yield* deeplinks.find(environment.applicationId, click.deeplinkId))
      if (deeplink === undefined) return []
      const { visitor: _, ...seen } = click
      const { unitId } = claim.event
      const at = convertedAt(claim, click, deeplink)
      if (at === null) return []
      // The window may have changed since the click: what the unit pays counts for as long as the click could convert.
      const expiresAt = attributionEnd(deeplink, click.clickedAt)
      const conversion = { ...seen, expiresAt, environmentId: environment.id, unitId, convertedAt: at }
      return [{ claim, marker: markerOf(claim, click, deeplink.slug), conversion }]
    })

    /** Those whose units were not erased since they sent what converted. */
    const present = ({ id }: Environment, converted: ReadonlyArray<Converted>) =>
      erased.present(id, converted, ({ claim }) => claim.event)

    /**
     * Stores the markers first: everything after it may be done again. Where a unit is erased meanwhile, its conversions are left out, or
     * stored before its erasure comes to them: that is written down first, in a transaction too.
     */
    const keep = Effect.fnUntraced(function* (environment: Environment, found: ReadonlyArray<Converted>) {
      const { id } = environment
      const erasures = erased.erasures(id)
      const converted = yield* present(environment, found)
      if (converted.length === 0) return
      const markers = converted.map(({ marker }) => marker)
      const receivedAt = markers.reduce((latest, marker) => Math.max(latest, marker.receivedAt), 0)
      yield* store.append(id, receivedAt, markers)
      yield* erased.removeOvertaken(
        id,
        erasures,
        converted.map(({ claim }) => claim.event)
      )
      const convertAll = Effect.flatMap(present(environment, converted), (all) =>
        Effect.forEach(all, ({ conversion }) => repo.convert(conversion), { discard: true })
      )
      yield* transaction.run(convertAll)
    }, whole)

    /** Records the conversions among markers that are stored. Doing it again changes nothing. */
    const convert = Effect.fnUntraced(function* (environment: Environment, events: ReadonlyArray<Event>) {
      const claims = claimsOf(events)
      if (claims.length === 0) return
      yield* clicks.flush
      const converted = yield* Effect.forEach(claims, (claim) => conversionOf(environment, claim))
      if (converted.some((each) => each.length > 0)) yield* keep(environment, converted.flat())
    }, whole)

    return { convert } as const
  })
}) {}
