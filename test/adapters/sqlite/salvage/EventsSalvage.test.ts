import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { openForReading } from "../../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { verify } from "../../../../src/adapters/sqlite/events/file/Verification.ts"
import { salvageEvents } from "../../../../src/adapters/sqlite/salvage/EventsSalvage.ts"
import type { StoredEvent } from "../../../../src/domain/analytics/markers/Event.ts"
import type { Loss } from "../../../../src/domain/operations/Salvage.ts"
import { damages, described, doDamage } from "../../../support/operations/Damages.ts"
import {
  answersAgree,
  buildEvents,
  copyEvents,
  environments,
  markersIn
} from "../../../support/operations/SalvagedWorld.ts"
import { runCount } from "../../../support/Runs.ts"
import { seeded } from "../../../support/Seeded.ts"
import { withFolder } from "../../../support/Server.ts"

const count = Number(process.env["GAMEKEEPER_DAMAGES"] ?? runCount(10))
const seed = Number(process.env["GAMEKEEPER_TEST_SEED"] ?? 1)

const covers = ({ type, from, to }: Loss, event: StoredEvent): boolean =>
  (type === null || type === event.type) &&
  (from === null || event.timestamp >= from) &&
  (to === null || event.timestamp <= to)

/** The parts of a marker that differ, by the names that a report gives them. */
const differences = (one: StoredEvent, other: StoredEvent): ReadonlyArray<string> => {
  const named = (source: "argument" | "property", left: object, right: object) =>
    [...new Set([...Object.entries(left), ...Object.entries(right)].map(([name]) => name))]
      .filter(
        (name) =>
          JSON.stringify(new Map(Object.entries(left)).get(name)) !==
          JSON.stringify(new Map(Object.entries(right)).get(name))
      )
      .map((name) => `${source} ${name}`)
  return [
    ...(one.sessionId === other.sessionId ? [] : ["session"]),
    ...(JSON.stringify(one.position) === JSON.stringify(other.position) ? [] : ["position"]),
    ...(one.unitId === other.unitId ? [] : ["unit"]),
    ...(one.timestamp === other.timestamp && one.type === other.type ? [] : ["itself"]),
    ...named("argument", one.arguments, other.arguments),
    ...named("property", one.properties, other.properties)
  ]
}

/** What is missing is exactly what the losses say, and what stays is as it was but for the parts they name. */
const isExactlyLost = (
  before: ReadonlyArray<StoredEvent>,
  after: ReadonlyArray<StoredEvent>,
  losses: ReadonlyArray<Loss>,
  notes: ReadonlyArray<string>
): void => {
  const kept = new Map(after.map((event) => [event.sequence, event]))
  assert.strictEqual(kept.size, after.length)
  const missing = before.filter(({ sequence }) => !kept.has(sequence))
  const whole = losses.filter(({ parts }) => parts.length === 0)
  assert.strictEqual(
    whole.reduce((sum, { markers }) => sum + markers, 0),
    missing.length,
    JSON.stringify(whole)
  )
  for (const loss of whole) {
    const fitting = missing.filter((event) => covers(loss, event)).length
    assert.isAtLeast(fitting, loss.markers, JSON.stringify(loss))
    if (loss.type !== null && whole.every(({ type }) => type !== null))
      assert.isTrue(missing.some((event) => covers(loss, event)))
  }
  const known = new Map(before.map((event) => [event.sequence, event]))
  const areNamesLost = {
    unit: notes.some((note) => note.includes("players of")),
    session: notes.some((note) => note.includes("sessions of"))
  }
  for (const event of after) {
    const original = known.get(event.sequence)
    assert.isDefined(original)
    for (const part of differences(original!, event)) {
      const isNamed = losses.some((loss) => loss.parts.includes(part) && covers(loss, event))
      const isName = (part === "unit" && areNamesLost.unit) || (part === "session" && areNamesLost.session)
      assert.isTrue(isNamed || isName, `${part} of ${JSON.stringify(original)} and ${JSON.stringify(event)}`)
    }
  }
}

const hashes = (folder: string) =>
  ["", "-wal", "-sums"].map((suffix) => {
    const file = join(folder, `events.sqlite${suffix}`)
    return existsSync(file) ? createHash("sha256").update(readFileSync(file)).digest("hex") : null
  })

describe("salvaging a damaged event file", () => {
  it("keeps everything of a sound one", () =>
    withFolder(async (folder) => {
      const { closed, killed } = buildEvents(folder)
      for (const base of [closed, killed]) {
        const to = join(folder, "new.sqlite")
        copyEvents(base, join(folder, "copy"))
        const salvaged = salvageEvents(join(folder, "copy", "events.sqlite"), `${to}-${base === closed}`, new Map())
        assert.deepStrictEqual([salvaged.losses, salvaged.notes], [[], []])
        for (const id of environments) {
          const before = markersIn(join(base, "events.sqlite"), id)
          const after = markersIn(`${to}-${base === closed}`, id)
          assert.deepStrictEqual(after, before)
          answersAgree(`${to}-${base === closed}`, id, after)
        }
      }
    }))

  it("keeps what can be read of one without checksums of its pages", { timeout: 120_000 }, () =>
    withFolder(async (folder) => {
      const bases = buildEvents(folder)
      const copy = join(folder, "copy")
      const ofEvents = [...damages(20, seeded(seed))].filter(({ file }) => file === "events.sqlite")
      for (const [turn, damage] of ofEvents.entries()) {
        await setImmediate()
        copyEvents(bases[damage.base], copy)
        rmSync(join(copy, "events.sqlite-sums"))
        doDamage(copy, damage)
        const to = join(folder, `new-${turn}.sqlite`)
        const { hasSums } = salvageEvents(join(copy, "events.sqlite"), to, new Map())
        assert.isFalse(hasSums)
        const db = openForReading(to)
        assert.deepStrictEqual(verify(db).problems, [], described(damage))
        db.close()
        for (const id of environments) answersAgree(to, id, markersIn(to, id))
      }
    })
  )

  it(
    "keeps what can be read, says exactly what is lost, and changes nothing",
    { timeout: 60_000 + count * 10_000 },
    () =>
      withFolder(async (folder) => {
        const bases = buildEvents(folder)
        const copy = join(folder, "copy")
        const before = new Map(
          (["closed", "killed"] as const).map((base) => [
            base,
            environments.map((id) => markersIn(join(bases[base], "events.sqlite"), id))
          ])
        )
        const tally: Record<string, number> = {}
        const ofEvents = [...damages(count * 2, seeded(seed))].filter(({ file }) => file.startsWith("events"))
        for (const [turn, damage] of ofEvents.entries()) {
          await setImmediate()
          copyEvents(bases[damage.base], copy)
          doDamage(copy, damage)
          const damaged = hashes(copy)
          const to = join(folder, `new-${turn}.sqlite`)
          const noted = new Map(before.get(damage.base)!.map((all, at) => [environments[at]!, all.length]))
          try {
            const { losses, notes } = salvageEvents(join(copy, "events.sqlite"), to, noted)
            assert.deepStrictEqual(hashes(copy), damaged)
            const db = openForReading(to)
            assert.deepStrictEqual(verify(db).problems, [])
            db.close()
            let lost = 0
            for (const [at, id] of environments.entries()) {
              const all = before.get(damage.base)![at]!
              const after = markersIn(to, id)
              lost += all.length - after.length
              isExactlyLost(
                all,
                after,
                losses.filter(({ environmentId }) => environmentId === id),
                notes
              )
              answersAgree(to, id, after)
            }
            const outcome =
              lost > 0 ? "markers lost" : losses.length + notes.length > 0 ? "something lost" : "nothing lost"
            tally[outcome] = (tally[outcome] ?? 0) + 1
          } catch (cause) {
            throw new Error(described(damage), { cause })
          }
        }
        process.stdout.write(`${JSON.stringify(tally)}\n`)
      })
  )
})
