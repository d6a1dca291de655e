import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { type Conversion, slotOf, slotWidth } from "../../../src/domain/deeplinks/Click.ts"
import { DeeplinkId, type EnvironmentId } from "../../../src/domain/Ids.ts"
import { ClickRepo } from "../../../src/ports/deeplinks/ClickRepo.ts"
import { DeeplinkRepo } from "../../../src/ports/deeplinks/DeeplinkRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { aClick, aDeeplink, conversionOf, linkTime, nextId, noon } from "../../support/deeplinks/Links.ts"
import { metadataStores } from "../../support/Stores.ts"

const always = { from: 0, to: noon * 2 }

for (const [label, store] of metadataStores) {
  layer(store)(`deeplinks and their clicks in ${label}`, (it) => {
    it.effect("gives back what was put in, in order of age, in its own project", () =>
      Effect.gen(function* () {
        const deeplinks = yield* DeeplinkRepo
        const [{ application }, other] = [yield* aProject, yield* aProject]
        const second = aDeeplink(application.id)
        const first = aDeeplink(application.id, { createdAt: linkTime(-1), archivedAt: linkTime(7) })
        for (const link of [second, first]) {
          assert.deepStrictEqual(yield* deeplinks.insert(link), Option.some(link))
        }
        assert.deepStrictEqual(yield* deeplinks.list(application.id), [first, second])
        assert.deepStrictEqual(yield* deeplinks.list(other.application.id), [])
        assert.deepStrictEqual(yield* deeplinks.find(application.id, first.id), Option.some(first))
        assert.deepStrictEqual(yield* deeplinks.find(other.application.id, first.id), Option.none())
        assert.deepStrictEqual(yield* deeplinks.findBySlug(second.slug), Option.some(second))
        assert.deepStrictEqual(yield* deeplinks.findBySlug(second.slug.toUpperCase()), Option.none())
      })
    )

    it.effect("has every slug once in the server", () =>
      Effect.gen(function* () {
        const deeplinks = yield* DeeplinkRepo
        const [one, other] = [yield* aProject, yield* aProject]
        const first = aDeeplink(one.application.id)
        const second = aDeeplink(other.application.id)
        yield* deeplinks.insert(first)
        assert.deepStrictEqual(yield* deeplinks.insert({ ...second, slug: first.slug }), Option.none())
        yield* deeplinks.insert(second)
        assert.deepStrictEqual(yield* deeplinks.update({ ...second, slug: first.slug }), Option.none())
        const renamed = { ...first, name: "New", slug: `${first.slug}-new`, metadata: {} }
        assert.deepStrictEqual(yield* deeplinks.update(renamed), Option.some(renamed))
        assert.deepStrictEqual(yield* deeplinks.findBySlug(first.slug), Option.none())
      })
    )

    it.effect("counts clicks by slot and origin, and visitors once", () =>
      Effect.gen(function* () {
        const { application, production } = yield* aProject
        const clicks = yield* ClickRepo
        const link = aDeeplink(application.id)
        yield* (yield* DeeplinkRepo).insert(link)
        const slot = slotOf(noon)
        yield* clicks.record([
          aClick(link),
          aClick(link),
          aClick(link, { visitor: "other", source: null, country: "FR" }),
          aClick(link, { clickedAt: noon + slotWidth }),
          aClick({ ...link, id: DeeplinkId.make(nextId()) })
        ])
        const origin = { source: "example.com", country: null, device: "phone" as const }
        const elsewhere = { source: null, country: "FR", device: "phone" as const }
        const found = yield* clicks.clickCounts(link.id, slot, slot + 2)
        assert.sameDeepMembers(
          [...found],
          [
            { slot, ...origin, clicks: 2, uniqueClicks: 1 },
            { slot, ...elsewhere, clicks: 1, uniqueClicks: 1 },
            { slot: slot + 1, ...origin, clicks: 1, uniqueClicks: 0 }
          ]
        )
        assert.deepStrictEqual(yield* clicks.clickCounts(link.id, slot + 1, slot + 1), [])
        assert.deepStrictEqual(yield* clicks.totals(application.id, [production]), [
          { deeplinkId: link.id, clicks: 4, conversions: 0 }
        ])
      })
    )

    it.effect("counts a click once, however often it is recorded", () =>
      Effect.gen(function* () {
        const { record, find, clickCounts } = yield* ClickRepo
        const { application } = yield* aProject
        const link = aDeeplink(application.id)
        yield* (yield* DeeplinkRepo).insert(link)
        const [click, other] = [aClick(link), aClick(link)]
        yield* record([click])
        yield* record([click, { ...click, source: "other.example", clickedAt: noon + 1 }, other, other])
        assert.deepStrictEqual(yield* find(click.interactionId), Option.some(click))
        const counted = yield* clickCounts(link.id, slotOf(noon), slotOf(noon) + slotWidth)
        assert.deepStrictEqual(
          counted.map(({ clicks, uniqueClicks }) => [clicks, uniqueClicks]),
          [[2, 1]]
        )
      })
    )

    it.effect("keeps the earliest conversion of a click by a unit, in whatever order they come", () =>
      Effect.gen(function* () {
        const { application, production, development } = yield* aProject
        const { record, convert, ofUnit } = yield* ClickRepo
        const link = aDeeplink(application.id)
        yield* (yield* DeeplinkRepo).insert(link)
        const click = aClick(link)
        yield* record([click])
        const late = conversionOf(click, production, { unitId: "late", convertedAt: noon + 900 })
        const elsewhere = conversionOf(click, development, { unitId: "late", convertedAt: noon + 900 })
        const stays = conversionOf(click, production, { unitId: "stays", convertedAt: noon + 900 })
        for (const each of [late, elsewhere, stays]) assert.isTrue(yield* convert(each))
        const early = { ...late, convertedAt: noon + 60 }
        for (const each of [early, { ...late, convertedAt: noon + 300 }]) assert.isFalse(yield* convert(each))
        assert.deepStrictEqual(yield* ofUnit(production, "late"), [early])
        assert.deepStrictEqual(yield* ofUnit(production, "stays"), [stays])
        assert.deepStrictEqual(yield* ofUnit(development, "late"), [elsewhere])
      })
    )

    it.effect("converts a click once for each unit of an environment", () =>
      Effect.gen(function* () {
        const { application, production, development } = yield* aProject
        const clicks = yield* ClickRepo
        const link = aDeeplink(application.id)
        yield* (yield* DeeplinkRepo).insert(link)
        const [first, second] = [aClick(link), aClick(link, { clickedAt: noon + 10, expiresAt: noon + 5000 })]
        yield* clicks.record([first, second])
        assert.deepStrictEqual(yield* clicks.find(first.interactionId), Option.some(first))
        assert.deepStrictEqual(yield* clicks.find("nothing"), Option.none())
        const one = conversionOf(first, production)
        assert.isTrue(yield* clicks.convert(one))
        assert.isFalse(yield* clicks.convert({ ...one, convertedAt: noon + 900 }))
        const u2 = conversionOf(first, production, { unitId: "u2" })
        const second1 = conversionOf(second, production)
        for (const other of [u2, second1, conversionOf(first, development)]) assert.isTrue(yield* clicks.convert(other))
        const of = { ...always, environmentIds: [production, development], deeplinkId: link.id }
        const inProduction = { ...of, environmentIds: [production] }
        assert.deepStrictEqual(yield* clicks.conversions(inProduction, null, 10), [second1, one, u2])
        assert.deepStrictEqual(yield* clicks.conversions(inProduction, second1, 1), [one])
        assert.strictEqual((yield* clicks.conversions(of, null, 10)).length, 4)
        assert.deepStrictEqual(yield* clicks.conversions({ ...of, to: noon }, null, 10), [])
        const { source, country, device } = first
        assert.deepStrictEqual(yield* clicks.conversionCounts(inProduction), [
          { slot: slotOf(noon), source, country, device, conversions: 3 }
        ])
        const [unit1, unit2] = [
          { environmentId: production, unitId: "u1", from: noon, to: noon + 5000 },
          { environmentId: production, unitId: "u2", from: noon, to: noon + 1000 }
        ]
        assert.deepStrictEqual(yield* clicks.convertedUnits(inProduction, null, 10), [unit1, unit2])
        assert.deepStrictEqual(yield* clicks.convertedUnits(inProduction, null, 1), [unit1])
        assert.deepStrictEqual(yield* clicks.convertedUnits(inProduction, unit1, 10), [unit2])
        assert.deepStrictEqual(yield* clicks.convertedUnits(inProduction, unit2, 10), [])
        assert.strictEqual((yield* clicks.convertedUnits(of, null, 10)).length, 3)
        assert.strictEqual(yield* clicks.convertedUsers(of), 2)
        assert.deepStrictEqual(yield* clicks.totals(application.id, [development]), [
          { deeplinkId: link.id, clicks: 2, conversions: 1 }
        ])
      })
    )

    it.effect("pages through conversions of one instant, of several environments and whatever their ids", () =>
      Effect.gen(function* () {
        const { application, production, development } = yield* aProject
        const clicks = yield* ClickRepo
        const link = aDeeplink(application.id)
        yield* (yield* DeeplinkRepo).insert(link)
        const click = aClick(link)
        yield* clicks.record([click])
        const all = ["u1", "\uff21", "😀"].flatMap((unitId) =>
          [production, development].map((environmentId) => conversionOf(click, environmentId, { unitId }))
        )
        for (const each of all.toReversed()) assert.isTrue(yield* clicks.convert(each))
        const of = { ...always, environmentIds: [production, development], deeplinkId: link.id }
        for (const limit of [1, 2, 5, 6]) {
          const seen: Array<Conversion> = []
          for (let isMore = true; isMore;) {
            const page = yield* clicks.conversions(of, seen.at(-1) ?? null, limit)
            seen.push(...page)
            isMore = page.length === limit
          }
          assert.deepStrictEqual(seen, all)
        }
        const units = yield* clicks.convertedUnits(of, null, 9)
        const ids = (environmentId: EnvironmentId) =>
          units.flatMap((each) => (each.environmentId === environmentId ? [each.unitId] : []))
        for (const each of [production, development]) assert.deepStrictEqual(ids(each), ["u1", "\uff21", "😀"])
      })
    )

    it.effect("forgets clicks past their window, and what a unit did", () =>
      Effect.gen(function* () {
        const { application, production } = yield* aProject
        const clicks = yield* ClickRepo
        const link = aDeeplink(application.id)
        yield* (yield* DeeplinkRepo).insert(link)
        const [early, late] = [aClick(link), aClick(link, { expiresAt: noon + 2000 })]
        yield* clicks.record([early, late])
        yield* clicks.convert(conversionOf(late, production))
        assert.deepStrictEqual(yield* clicks.ofUnit(production, "u1"), [conversionOf(late, production)])
        assert.deepStrictEqual(yield* clicks.ofUnit(production, "u2"), [])
        yield* clicks.expire(noon + 1500)
        assert.deepStrictEqual(yield* clicks.find(early.interactionId), Option.none())
        assert.isTrue(Option.isSome(yield* clicks.find(late.interactionId)))
        yield* clicks.eraseUnit(production, "nobody")
        assert.strictEqual(
          (yield* clicks.conversions({ ...always, environmentIds: [production], deeplinkId: link.id }, null, 9)).length,
          1
        )
        yield* clicks.eraseUnit(production, "u1")
        assert.deepStrictEqual(
          yield* clicks.conversions({ ...always, environmentIds: [production], deeplinkId: link.id }, null, 9),
          []
        )
        assert.deepStrictEqual(yield* clicks.find(late.interactionId), Option.none())
        assert.deepStrictEqual(yield* clicks.totals(application.id, [production]), [
          { deeplinkId: link.id, clicks: 2, conversions: 0 }
        ])
      })
    )

    it.effect("go with the deeplink, and with the project", () =>
      Effect.gen(function* () {
        const { application, production } = yield* aProject
        const clicks = yield* ClickRepo
        const deeplinks = yield* DeeplinkRepo
        const [gone, kept] = [aDeeplink(application.id), aDeeplink(application.id)]
        for (const link of [gone, kept]) {
          yield* deeplinks.insert(link)
          const click = aClick(link)
          yield* clicks.record([click])
          yield* clicks.convert(conversionOf(click, production))
        }
        yield* deeplinks.remove(gone.id)
        assert.deepStrictEqual(
          yield* clicks.conversions({ ...always, environmentIds: [production], deeplinkId: gone.id }, null, 9),
          []
        )
        assert.deepStrictEqual(yield* clicks.clickCounts(gone.id, 0, slotOf(noon) + 1), [])
        assert.deepStrictEqual(yield* deeplinks.list(application.id), [kept])
        yield* (yield* ProjectRepo).remove(application.id)
        yield* clearRemoved
        assert.deepStrictEqual(yield* deeplinks.list(application.id), [])
        assert.deepStrictEqual(yield* deeplinks.findBySlug(kept.slug), Option.none())
        assert.deepStrictEqual(yield* clicks.clickCounts(kept.id, 0, slotOf(noon) + 1), [])
      })
    )
  })
}
