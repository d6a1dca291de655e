import { Array, Effect, Layer, Option } from "effect"
import { byCodePoint } from "../../../domain/CodePointOrder.ts"
import type { Click, Conversion, Origin } from "../../../domain/deeplinks/Click.ts"
import { slotOf } from "../../../domain/deeplinks/Click.ts"
import { ClickRepo, type ConversionPlace, type ConversionsOf } from "../../../ports/deeplinks/ClickRepo.ts"
import { MemoryDb } from "../MemoryDb.ts"

const sameOrigin = (a: Origin, b: Origin): boolean =>
  a.source === b.source && a.country === b.country && a.device === b.device

const isOne = (a: Conversion, b: Conversion): boolean =>
  a.interactionId === b.interactionId && a.unitId === b.unitId && a.environmentId === b.environmentId

const latestFirst = (a: ConversionPlace, b: ConversionPlace): number =>
  b.convertedAt - a.convertedAt ||
  byCodePoint(a.interactionId, b.interactionId) ||
  byCodePoint(a.unitId, b.unitId) ||
  a.environmentId - b.environmentId

type UnitPlace = Pick<Conversion, "environmentId" | "unitId">

const byUnit = (a: UnitPlace, b: UnitPlace): number =>
  a.environmentId - b.environmentId || byCodePoint(a.unitId, b.unitId)

export const ClickRepoMemory = Layer.effect(
  ClickRepo,
  Effect.map(MemoryDb, ({ access, environments, deeplinks, clicks, clickVisitors, clickSlots, conversions }) => {
    const record = (click: Click) => {
      const { deeplinkId, visitor, source, country, device, interactionId } = click
      if (clicks.rows.some((each) => each.interactionId === interactionId)) return
      if (!deeplinks.rows.some(({ id }) => id === deeplinkId)) return
      clicks.insert(click)
      const isKnown = clickVisitors.rows.some((each) => each.deeplinkId === deeplinkId && each.visitor === visitor)
      if (!isKnown) clickVisitors.insert({ deeplinkId, visitor })
      const slot = slotOf(click.clickedAt)
      const unique = isKnown ? 0 : 1
      const present = clickSlots.rows.find(
        (each) => each.deeplinkId === deeplinkId && each.slot === slot && sameOrigin(each, click)
      )
      if (present === undefined) {
        clickSlots.insert({ deeplinkId, slot, source, country, device, clicks: 1, uniqueClicks: unique })
        return
      }
      const { clicks: before, uniqueClicks } = present
      const next = { ...present, clicks: before + 1, uniqueClicks: uniqueClicks + unique }
      clickSlots.replace((each) => each === present, next)
    }
    const among = ({ deeplinkId, environmentIds, from, to }: ConversionsOf) =>
      conversions.rows.filter(
        (each) =>
          each.deeplinkId === deeplinkId &&
          environmentIds.includes(each.environmentId) &&
          each.clickedAt >= from &&
          each.clickedAt < to
      )
    return ClickRepo.of({
      record: (batch) => access(() => batch.forEach(record)),
      find: (interactionId) =>
        access(() => Option.fromNullable(clicks.rows.find((each) => each.interactionId === interactionId))),
      convert: (conversion) =>
        access(() => {
          const known = conversions.rows.find((each) => isOne(each, conversion))
          if (known !== undefined) {
            const convertedAt = Math.min(known.convertedAt, conversion.convertedAt)
            conversions.replace((each) => each === known, { ...known, convertedAt })
            return false
          }
          if (!deeplinks.rows.some(({ id }) => id === conversion.deeplinkId)) return false
          if (!environments.rows.some(({ id }) => id === conversion.environmentId)) return false
          conversions.insert(conversion)
          return true
        }),
      totals: (applicationId, environmentIds) =>
        access(() =>
          deeplinks.rows.flatMap((deeplink) => {
            if (deeplink.applicationId !== applicationId) return []
            const own = clickSlots.rows.filter(({ deeplinkId }) => deeplinkId === deeplink.id)
            const of = { deeplinkId: deeplink.id, environmentIds, from: -Infinity, to: Infinity }
            const count = own.reduce((sum, each) => sum + each.clicks, 0)
            return [{ deeplinkId: deeplink.id, clicks: count, conversions: among(of).length }]
          })
        ),
      clickCounts: (deeplinkId, first, end) =>
        access(() =>
          clickSlots.rows
            .filter((each) => each.deeplinkId === deeplinkId && each.slot >= first && each.slot < end)
            .map(({ deeplinkId: _, ...count }) => count)
        ),
      conversionCounts: (of) =>
        access(() => {
          const counts: globalThis.Array<Origin & { readonly slot: number; conversions: number }> = []
          for (const { clickedAt, source, country, device } of among(of)) {
            const slot = slotOf(clickedAt)
            const own = { slot, source, country, device }
            const present = counts.find((each) => each.slot === slot && sameOrigin(each, own))
            if (present === undefined) counts.push({ ...own, conversions: 1 })
            else present.conversions++
          }
          return counts
        }),
      convertedUsers: (of) => access(() => new Set(among(of).map(({ unitId }) => unitId)).size),
      convertedUnits: (of, after, limit) =>
        access(() => {
          const units = Array.groupBy(among(of), ({ environmentId, unitId }) => `${environmentId} ${unitId}`)
          return Object.values(units)
            .map((own) => {
              const [{ environmentId, unitId }] = own
              const from = Math.min(...own.map(({ clickedAt }) => clickedAt))
              return { environmentId, unitId, from, to: Math.max(...own.map(({ expiresAt }) => expiresAt)) }
            })
            .filter((each) => after === null || byUnit(after, each) < 0)
            .toSorted(byUnit)
            .slice(0, limit)
        }),
      conversions: (of, after, limit) =>
        access(() =>
          among(of)
            .filter((each) => after === null || latestFirst(after, each) < 0)
            .toSorted(latestFirst)
            .slice(0, limit)
        ),
      expire: (now) => access(() => clicks.remove(({ expiresAt }) => expiresAt < now)),
      ofUnit: (environmentId, unitId) =>
        access(() =>
          conversions.rows
            .filter((each) => each.environmentId === environmentId && each.unitId === unitId)
            .toSorted((a, b) => latestFirst(b, a))
        ),
      eraseUnit: (environmentId, unitId) =>
        access(() => {
          const isOwn = (each: Conversion) => each.environmentId === environmentId && each.unitId === unitId
          const ids = new Set(conversions.rows.filter(isOwn).map(({ interactionId }) => interactionId))
          clicks.remove(({ interactionId }) => ids.has(interactionId))
          conversions.remove(isOwn)
        })
    })
  })
)
