import { assert } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Db } from "../../../src/adapters/sqlite/events/file/Db.ts"
import { openForReading, openGuarded } from "../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Control } from "../../../src/adapters/sqlite/events/read/Control.ts"
import { Reader } from "../../../src/adapters/sqlite/events/threads/Reader.ts"
import { Writer } from "../../../src/adapters/sqlite/events/write/Writer.ts"
import { unfiltered } from "../../../src/domain/analytics/filter/Filter.ts"
import type { ExperimentId } from "../../../src/domain/Ids.ts"
import { exposedGroups } from "../../../src/domain/analytics/filter/Memberships.ts"
import type { Event, StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import { answerOf } from "../../../src/domain/analytics/question/Answer.ts"
import type { Question } from "../../../src/domain/analytics/question/Question.ts"
import { marker } from "../analytics/Markers.ts"
import { origin, tick, ticks } from "../analytics/PlanParts.ts"
import { funnelPlan, insightPlan, retentionPlan } from "../analytics/Plans.ts"
import { seeded } from "../Seeded.ts"

export const environments = [1, 2] as const

const run = (job: Generator<void, unknown>) => {
  while (job.next().done !== true);
}

const uuid = (environmentId: number, sequence: number) =>
  `00000000-0000-400${environmentId}-8000-${String(sequence).padStart(12, "0")}`

/** Markers of frequent and of rare types, with texts that fill pages. */
const markersOf = (environmentId: number, first: number, count: number): ReadonlyArray<Event> => {
  const random = seeded(environmentId * 1000 + first)
  const within = (most: number) => Math.floor(random() * most)
  return Array.from({ length: count }, (_, at) => {
    const type = random() < 0.02 ? `rare ${within(6)}` : ["a", "b", "c"][within(3)]!
    const event = marker(first + at, random() < 0.1 ? null : `u${within(60)}`, type, origin + within(ticks) * tick, {
      session: `s${within(400)}`,
      arguments: { a: ["x", "y", "3", 1, 2.5][within(5)]!, note: `note ${Math.floor(random() * 1e9)}` },
      properties: random() < 0.5 ? { p: within(9) } : {},
      position: random() < 0.3 ? [within(6), 0, within(6)] : null
    })
    return Object.assign(event, { markerId: uuid(environmentId, first + at), receivedAt: origin + 200 * tick })
  })
}

const suffixes = ["", "-wal", "-sums"] as const

export const copyEvents = (from: string, to: string): void => {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  for (const suffix of suffixes)
    if (existsSync(join(from, `events.sqlite${suffix}`)))
      copyFileSync(join(from, `events.sqlite${suffix}`), join(to, `events.sqlite${suffix}`))
}

/** An event file with segments and a tail, as a clean end leaves it and as a kill does, with its log. */
export const buildEvents = (folder: string) => {
  const [live, closed, killed] = [join(folder, "live"), join(folder, "closed"), join(folder, "killed")]
  mkdirSync(live)
  const { db, guard } = openGuarded(join(live, "events.sqlite"), assert.fail)
  const writer = new Writer(db, { dedupeDays: 7, ownSegmentRows: 60, sealAt: 65_536 }, guard)
  const next = new Map<number, number>(environments.map((id) => [id, 1]))
  const send = (environmentId: number, count: number) => {
    const first = next.get(environmentId)!
    next.set(environmentId, first + count)
    const markers = markersOf(environmentId, first, count)
    writer.commit([{ environmentId, frame: encodeFrame(origin + 200 * tick, markers) }])
  }
  for (let seal = 0; seal < 6; seal++) {
    for (let part = 0; part < 6; part++) send(1, 150)
    send(2, 200)
    run(writer.seal())
  }
  send(1, 90)
  send(2, 30)
  guard.checkpoint()
  copyEvents(live, closed)
  for (let part = 0; part < 10; part++) {
    send(1, 40)
    if (part === 4) run(writer.seal())
  }
  copyEvents(live, killed)
  guard.finish(db)
  guard.close()
  return { closed, killed }
}

const answered = (db: Db, environmentId: number, question: Question): unknown => {
  const reply = new Reader(db, { cacheBytes: 1_000_000 }).reply({
    type: "ask",
    id: 1,
    environmentId,
    question,
    control: new Control().shared
  })
  assert(reply.type === "answer", JSON.stringify(reply))
  assert.deepStrictEqual(reply.meta.damaged, [])
  return reply.answer
}

const listing: Question = {
  kind: "listing",
  plan: { range: { from: 0, to: 1e15 }, types: null, unitId: null, filter: unfiltered, limit: 1_000_000, after: null }
}

const withFile = <A>(file: string, use: (db: Db) => A): A => {
  const db = openForReading(file)
  const result = use(db)
  db.close()
  return result
}

/** All markers of an environment, in order of receipt. */
export const markersIn = (file: string, environmentId: number): ReadonlyArray<StoredEvent> =>
  withFile(file, (db) => {
    const answer = answered(db, environmentId, listing)
    assert(typeof answer === "object" && answer !== null && "items" in answer && Array.isArray(answer.items))
    return answer.items.toSorted((one: StoredEvent, other: StoredEvent) => one.sequence - other.sequence)
  })

const questions: ReadonlyArray<Question> = [
  { kind: "types", plan: { now: origin + 300 * tick } },
  { kind: "names", plan: { source: "argument", type: null } },
  ...fc.sample(insightPlan, { numRuns: 12, seed: 5 }).map((plan) => ({ kind: "insight" as const, plan })),
  ...fc.sample(funnelPlan, { numRuns: 4, seed: 6 }).map((plan) => ({ kind: "funnel" as const, plan })),
  ...fc.sample(retentionPlan, { numRuns: 4, seed: 7 }).map((plan) => ({ kind: "retention" as const, plan }))
]

/** The file answers what the pure functions say about the markers that are in it. */
export const answersAgree = (file: string, environmentId: number, markers: ReadonlyArray<StoredEvent>): void =>
  withFile(file, (db) => {
    const memberships = {
      cohort: () => new Set<string>(),
      experiment: (id: ExperimentId) => exposedGroups(markers, id)
    }
    for (const question of questions)
      assert.deepStrictEqual(
        JSON.parse(JSON.stringify(answered(db, environmentId, question))),
        JSON.parse(JSON.stringify(answerOf(markers, question, memberships))),
        JSON.stringify(question)
      )
  })
