import { it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { PlayerPlace, PlayersPlan } from "../../src/domain/analytics/players/PlayersPlan.ts"
import { exposed } from "../support/Arbitraries.ts"
import { origin, tick, ticks } from "../support/analytics/PlanParts.ts"
import { agrees, worldOf } from "../support/analytics/ScannedStore.ts"
import { cohortPlan, playersWho } from "../support/cohorts/CohortPlans.ts"

/** Ids whose order by code points, by UTF-16 and by their bytes in the dictionary differ. */
const strange = [
  "0190b5c2-7f3a-4d21-9c4e-100000000001",
  "0190b5c2-7f3a-4d21-9c4e-100000000002",
  "f190b5c2-7f3a-4d21-9c4e-100000000003",
  "0190B5C2-7F3A-4D21-9C4E-100000000001",
  "0190b5c2",
  "0190b5c2-",
  "f",
  "g",
  "Zoë",
  "\ufffdplayer",
  "😀player",
  "u0"
]

const place = (unitIds: ReadonlyArray<string>): fc.Arbitrary<PlayerPlace> =>
  fc.record({
    firstSeenAt: fc.integer({ min: 0, max: ticks }).map((at) => origin + at * tick),
    lastSeenAt: fc.integer({ min: 0, max: ticks }).map((at) => origin + at * tick),
    markerCount: fc.integer({ min: 1, max: 6 }),
    unitId: fc.constantFrom(...unitIds)
  })

const plan = (unitIds: ReadonlyArray<string>, prefixes: ReadonlyArray<string>): fc.Arbitrary<PlayersPlan> =>
  fc.record({
    prefix: fc.constantFrom("", "", ...prefixes),
    who: playersWho,
    properties: fc.subarray(["p", "nowhere"]),
    sort: fc.constantFrom("lastSeen" as const, "firstSeen" as const, "markerCount" as const, "unitId" as const),
    direction: fc.constantFrom("ascending" as const, "descending" as const),
    limit: fc.integer({ min: 1, max: 4 }),
    after: fc.option(place(unitIds))
  })

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("Scanned columns list the players that the pure function lists", () =>
  agrees(
    plan(["u0", "u1", "u2", "u3", "u"], ["u", "u1", "x"]).map((each) => ({ kind: "players" as const, plan: each }))
  ))

const renamed = worldOf((all) =>
  all.map((event, at) =>
    Object.assign({}, event, { unitId: event.unitId === null ? null : strange[at % strange.length] })
  )
)

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("and in the order of their code points, whatever their ids are made of", () =>
  agrees(
    plan([...strange, "0190b5c2-a", "0190b5c2z", "~"], ["0190b5c2", "0190b5c2-7", "f", "F", "z", "😀"]).map((each) => ({
      kind: "players" as const,
      plan: each
    })),
    renamed
  ))

// oxlint-disable-next-line vitest/expect-expect -- agrees asserts
it("and of any cohort those whom its definition names", () =>
  agrees(
    cohortPlan.map((who) => ({
      kind: "players" as const,
      plan: { prefix: "", who, properties: ["p"], sort: "unitId", direction: "ascending", limit: 100, after: null }
    })),
    worldOf(exposed)
  ))
