import { Clock, Effect, Layer, type Scope } from "effect"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { slotOf } from "../../../src/domain/deeplinks/Click.ts"
import { DeeplinkId, ExperimentGroupId, ExperimentId } from "../../../src/domain/Ids.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { ClickRepo } from "../../../src/ports/deeplinks/ClickRepo.ts"
import { DeeplinkRepo } from "../../../src/ports/deeplinks/DeeplinkRepo.ts"
import { AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { ExposureRepo } from "../../../src/ports/experiments/ExposureRepo.ts"
import { ContextPropertyRepo } from "../../../src/ports/game/ContextPropertyRepo.ts"
import { UnitSightRepo } from "../../../src/ports/game/UnitSightRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { Clicks } from "../../../src/services/deeplinks/Clicks.ts"
import { ContextProperties } from "../../../src/services/game/ContextProperties.ts"
import { Exposures } from "../../../src/services/game/Exposures.ts"
import { UnitSights } from "../../../src/services/game/UnitSights.ts"
import { LiveFeed } from "../../../src/services/live/LiveFeed.ts"
import { ErasedUnits } from "../../../src/services/operations/ErasedUnits.ts"
import { everyMarker } from "../analytics/EveryMarker.ts"
import type { aProject } from "../analytics/SavedQueries.ts"
import { assigned } from "../experiments/Exposed.ts"
import { aClick, aDeeplink, noon } from "../deeplinks/Links.ts"
import type { stores } from "../Stores.ts"

type Stores = Layer.Layer.Success<(typeof stores)[number][1]>
/** Makes a write of a store go wrong, or leaves it as it is. */
export type Pass = <A, E, R>(write: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

export const sound: Pass = (write) => write

export type Project = Effect.Effect.Success<typeof aProject>

export interface BufferedWrite {
  /** The service that has the buffer. */
  readonly buffer: string
  readonly write: string
  /** What comes before the process starts. */
  readonly prepare: (project: Project) => Effect.Effect<void, never, Stores>
  /** Puts the items into a buffer that is emptied, or lost, when the scope closes. */
  readonly put: (project: Project, pass: Pass) => Effect.Effect<void, never, Stores | Scope.Scope>
  readonly look: (project: Project) => Effect.Effect<unknown, never, Stores>
  readonly expected: unknown
}

const given = <A, E, R, I, S>(effect: Effect.Effect<A, E, R>, layer: Layer.Layer<I, never, S>) =>
  Effect.flatMap(Layer.build(Layer.fresh(layer)), (context) => Effect.provide(effect, context))

const hour = 3_600_000
const units = ["ann", "bob"]

const link = ({ application }: Project) =>
  aDeeplink(application.id, {
    id: DeeplinkId.make(`00000000-0000-4000-9000-${String(application.id).padStart(12, "0")}`)
  })

const clicksOf = (project: Project) =>
  ["one", "two", "one"].map((visitor, at) =>
    aClick(link(project), { visitor, interactionId: `${project.production}-${at}` })
  )

const clicks: BufferedWrite = {
  buffer: "Clicks",
  write: "ClickRepo.record",
  prepare: (project) => Effect.flatMap(DeeplinkRepo, (deeplinks) => Effect.asVoid(deeplinks.insert(link(project)))),
  put: (project, pass) =>
    given(
      // Whoever clicks waits for the write; the test goes on meanwhile.
      Effect.flatMap(Clicks, ({ record }) =>
        Effect.zipRight(
          Effect.forEach(clicksOf(project), (click) => Effect.forkScoped(record(click)), { discard: true }),
          Effect.repeatN(Effect.yieldNow(), 10)
        )
      ),
      Clicks.Default.pipe(
        Layer.provide(
          Layer.effect(
            ClickRepo,
            Effect.map(ClickRepo, (repo) => ClickRepo.of({ ...repo, record: (all) => pass(repo.record(all)) }))
          )
        )
      )
    ),
  look: (project) =>
    Effect.gen(function* () {
      const counts = yield* (yield* ClickRepo).clickCounts(link(project).id, 0, slotOf(noon) + 1)
      return counts.map(({ clicks, uniqueClicks }) => [clicks, uniqueClicks])
    }),
  expected: [[3, 2]]
}

/** When the first process of each project began. */
const begun = new Map<number, number>()

/** Nobody is erased. */
const erasures = ErasedUnits.Default.pipe(Layer.provide(SecretsNode))

const sights: BufferedWrite = {
  buffer: "UnitSights",
  write: "UnitSightRepo.record",
  prepare: ({ production }) => Effect.map(Clock.currentTimeMillis, (now) => void begun.set(production, now)),
  put: ({ production }, pass) =>
    given(
      Effect.flatMap(UnitSights, ({ saw }) =>
        saw([{ place: { environmentId: production, unitType: "user" }, distinctIds: units }])
      ),
      UnitSights.Default.pipe(
        Layer.provide(erasures),
        Layer.provide(
          Layer.effect(
            UnitSightRepo,
            Effect.map(UnitSightRepo, (repo) => UnitSightRepo.of({ ...repo, record: (all) => pass(repo.record(all)) }))
          )
        )
      )
    ),
  look: ({ production }) =>
    Effect.map(
      Effect.flatMap(UnitSightRepo, (repo) => repo.firstSeen(production, "user", units)),
      (seen) => [...seen].toSorted().map(([unit, at]) => [unit, at - (begun.get(production) ?? 0)])
    ),
  expected: units.map((unit) => [unit, 0])
}

const group = ExperimentGroupId.make(1)

/** An experiment for each environment, which no other test has. */
const experimentOf = ({ production }: Project) => ExperimentId.make(1000 + production)

/** Exposures are written into both files. */
const exposures = (write: "EventStore.append" | "ExposureRepo.record"): BufferedWrite => ({
  buffer: "Exposures",
  write,
  prepare: (project) =>
    Effect.flatMap(AssignmentRepo, (repo) =>
      repo.put(
        project.production,
        units.map((unit) => assigned(experimentOf(project), unit))
      )
    ),
  put: (project, pass) => {
    const ofStore = write === "EventStore.append" ? pass : sound
    const ofRepo = write === "EventStore.append" ? sound : pass
    const place = { environmentId: project.production, experimentId: experimentOf(project), groupId: group }
    const exposed = units.map((distinctId) => ({
      exposure: { ...place, unitType: "user" as const, distinctId, at: hour },
      isNoted: false
    }))
    return given(
      Effect.flatMap(Exposures, ({ record }) => record(exposed)),
      Exposures.Default.pipe(
        Layer.provide(
          Layer.mergeAll(
            LiveFeed.Default,
            erasures,
            SecretsNode,
            Layer.effect(
              EventStore,
              Effect.map(EventStore, (store) =>
                EventStore.of({ ...store, append: (...all) => ofStore(store.append(...all)) })
              )
            ),
            Layer.effect(
              ExposureRepo,
              Effect.map(ExposureRepo, (repo) =>
                ExposureRepo.of({ ...repo, record: (...all) => ofRepo(repo.record(...all)) })
              )
            )
          )
        )
      )
    )
  },
  look: (project) =>
    Effect.gen(function* () {
      const { answer } = yield* Effect.orDie((yield* EventStore).ask<"listing">(project.production, everyMarker))
      const repo = yield* AssignmentRepo
      const known = yield* repo.ofUnits(project.production, "user", units)
      return {
        markers: answer.items.map(({ unitId, timestamp }) => [unitId, timestamp]).toSorted(),
        exposed: known.map(({ distinctId, firstExposedAt }) => [distinctId, firstExposedAt])
      }
    }),
  expected: { markers: units.map((unit) => [unit, hour]), exposed: units.map((unit) => [unit, hour]) }
})

/** More names than one portion writes. */
const context = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`properties.p${at}`, at]))

/** The write goes wrong within its transaction, which takes back what was counted. */
const properties: BufferedWrite = {
  buffer: "ContextProperties",
  write: "ContextPropertyRepo.add",
  prepare: () => Effect.void,
  put: ({ production }, pass) =>
    given(
      Effect.flatMap(ContextProperties, ({ saw }) =>
        Effect.zipRight(saw(production, context), saw(production, context))
      ),
      ContextProperties.Default.pipe(
        Layer.provide(erasures),
        Layer.provide(
          Layer.effect(
            ContextPropertyRepo,
            Effect.map(Effect.all([ContextPropertyRepo, Transaction]), ([repo, transaction]) =>
              ContextPropertyRepo.of({
                ...repo,
                add: (id, sightings) => transaction.run(pass(repo.add(id, sightings)))
              })
            )
          )
        )
      )
    ),
  look: ({ production }) =>
    Effect.map(
      Effect.flatMap(ContextPropertyRepo, (repo) => repo.list(production)),
      (all) => all.map(({ name, kinds, values }) => [name, kinds.number, values])
    ),
  expected: Object.entries(context)
    .map(([name, value]) => [name, 2, [[value, 2]]])
    .toSorted()
}

/** One for each write of a buffer that could go wrong. */
export const bufferedWrites = [
  clicks,
  sights,
  exposures("EventStore.append"),
  exposures("ExposureRepo.record"),
  properties
]
