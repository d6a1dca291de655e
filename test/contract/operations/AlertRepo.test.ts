import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { randomUUID } from "node:crypto"
import { ExperimentId, type OrganizationId, QueryId } from "../../../src/domain/Ids.ts"
import type { Alert, NewIncident, AlertWatch } from "../../../src/domain/operations/alerts/Alert.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { AlertRepo } from "../../../src/ports/operations/AlertRepo.ts"
import { addEnvironments, newUserId } from "../../support/access/Tenants.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { alertOf, alertTime as at } from "../../support/operations/Alerts.ts"
import { everyStore } from "../../support/Stores.ts"

const look = { verdict: "fired", value: 0.25, expected: 0.5, low: 0.4, high: null, of: 812 } as const

const incidentOf = ({ id }: Alert, more: Partial<NewIncident> = {}): NewIncident => ({
  alertId: id,
  startedAt: at(1),
  endedAt: null,
  text: "25 % instead of 50 %",
  look,
  objects: ["Starter pack"],
  told: true,
  acknowledgedBy: null,
  acknowledgedAt: null,
  note: null,
  ...more
})

const watches: ReadonlyArray<AlertWatch> = [
  {
    kind: "query",
    queryId: QueryId.make(randomUUID()),
    metricId: null,
    every: "hour",
    condition: { kind: "change", direction: "drop", percent: 12.5, weeks: 4, minimumSample: 100, falseOnceInWeeks: 13 }
  },
  {
    kind: "funnelStep",
    queryId: QueryId.make(randomUUID()),
    step: 2,
    every: "day",
    condition: { kind: "threshold", above: null, below: 0.3, minimumSample: 50, falseOnceInWeeks: 13 }
  },
  { kind: "silence", names: "Login", minutes: 60 },
  { kind: "guardrail", experimentId: ExperimentId.make(4) },
  { kind: "sampleRatio", experimentId: null },
  { kind: "cohort", cohortId: null }
]

for (const [label, store] of everyStore) {
  layer(store)(`alerts in ${label}`, (it) => {
    it.effect("keeps alerts of each environment, whatever they watch, oldest first", () =>
      Effect.gen(function* () {
        const repo = yield* AlertRepo
        const [own, other] = yield* addEnvironments
        const made: Array<Alert> = []
        for (const [index, watch] of watches.entries())
          made.push(yield* repo.insert(alertOf(own, { watch, createdAt: at(index) })))
        yield* repo.insert(alertOf(other))
        assert.deepStrictEqual(yield* repo.list(own.id), made)
        assert.deepStrictEqual(
          made.map(({ watch }) => watch),
          watches
        )
        const found = { from: 5, to: 6, look, text: "25 %" }
        const changed = yield* repo.update({
          ...made[0]!,
          state: "fired",
          found,
          mutedUntil: at(9),
          calm: 1,
          problem: "?"
        })
        assert.deepStrictEqual(yield* repo.find(own.id, changed.id), Option.some(changed))
        assert.deepStrictEqual(yield* repo.find(other.id, changed.id), Option.none())
        yield* repo.remove(other.id, changed.id)
        assert.strictEqual((yield* repo.list(own.id)).length, watches.length)
        const incident = yield* repo.insertIncident(incidentOf(changed))
        yield* repo.remove(own.id, changed.id)
        assert.deepStrictEqual(yield* repo.list(own.id), made.slice(1))
        assert.deepStrictEqual(yield* repo.listIncidents(incident.alertId, null, 10), [])
      })
    )

    it.effect("finds those that are due, the longest due first, of environments that are there", () =>
      Effect.gen(function* () {
        const repo = yield* AlertRepo
        const [own, gone] = yield* addEnvironments
        const late = yield* repo.insert(alertOf(own, { nextAt: 300 }))
        const soon = yield* repo.insert(alertOf(own, { nextAt: 200 }))
        const off = yield* repo.insert(alertOf(own, { nextAt: 1, isActive: false }))
        const lost = yield* repo.insert(alertOf(gone, { nextAt: 1 }))
        const mine = new Set([late, soon, off, lost].map(({ id }) => id))
        const due = (now: number) =>
          Effect.map(repo.findDue(now, 1_000, []), (all) => all.map(({ id }) => id).filter((id) => mine.has(id)))
        assert.deepStrictEqual(yield* due(300), [lost.id, soon.id, late.id])
        yield* (yield* ProjectRepo).removeEnvironment(gone.id)
        assert.deepStrictEqual(yield* due(300), [soon.id, late.id])
        assert.deepStrictEqual(yield* due(250), [soon.id])
        assert.isAtMost((yield* repo.findDue(1_000, 1, [])).length, 1)
        // The clock that planned them was ahead by months, and is set back.
        assert.deepStrictEqual(yield* due(300 - 60 * 86_400_000), [soon.id, late.id])
        // It was ahead by less than is planned, so that nobody could tell by the plans.
        assert.deepStrictEqual(yield* due(150), [])
        yield* repo.hasten(150)
        assert.deepStrictEqual((yield* due(150)).toSorted(), [late.id, soon.id].toSorted())
        assert.deepStrictEqual(yield* repo.find(own.id, off.id), Option.some(off))
      })
    )

    it.effect("finds those that are due of organizations that have not been served first, and then the others", () =>
      Effect.gen(function* () {
        const repo = yield* AlertRepo
        const [busy, quiet] = [yield* aProject, yield* aProject]
        const insert = (project: typeof busy, nextAt: number) =>
          repo.insert(alertOf({ id: project.production, applicationId: project.application.id }, { nextAt }))
        const all = [yield* insert(busy, 1), yield* insert(busy, 2), yield* insert(quiet, 3), yield* insert(quiet, 4)]
        const order = Effect.fnUntraced(function* (served: ReadonlyArray<OrganizationId>) {
          const due = yield* repo.findDue(10, 1_000, served)
          return due.map(({ id }) => all.findIndex((each) => each.id === id)).filter((place) => place >= 0)
        })
        const [first, second] = [busy.application.organizationId, quiet.application.organizationId]
        assert.deepStrictEqual(yield* order([]), [0, 1, 2, 3])
        assert.deepStrictEqual(yield* order([first]), [2, 3, 0, 1])
        assert.deepStrictEqual(yield* order([first, second]), [0, 1, 2, 3])
      })
    )

    it.effect("keeps the incidents of an alert, one of them open, until they are old", () =>
      Effect.gen(function* () {
        const repo = yield* AlertRepo
        const [environment] = yield* addEnvironments
        const alert = yield* repo.insert(alertOf(environment))
        const other = yield* repo.insert(alertOf(environment))
        const old = yield* repo.insertIncident(incidentOf(alert, { endedAt: at(5), look: null, objects: [] }))
        const open = yield* repo.insertIncident(incidentOf(alert))
        const foreign = yield* repo.insertIncident(incidentOf(other, { told: false }))
        assert.deepStrictEqual(yield* repo.findOpen(alert.id), Option.some(open))
        assert.deepStrictEqual(yield* repo.listOpen(environment.id), [open, foreign])
        assert.deepStrictEqual(yield* repo.listIncidents(alert.id, null, 10), [open, old])
        assert.deepStrictEqual(yield* repo.listIncidents(alert.id, null, 1), [open])
        assert.deepStrictEqual(yield* repo.listIncidents(alert.id, open.id, 10), [old])
        const by = { id: newUserId(), email: "ada@studio.example" }
        const seen = yield* repo.updateIncident({ ...open, acknowledgedBy: by, acknowledgedAt: at(7), note: "I look" })
        assert.deepStrictEqual(yield* repo.findOpen(alert.id), Option.some(seen))
        yield* repo.expire(at(5).epochMillis)
        assert.strictEqual((yield* repo.listIncidents(alert.id, null, 10)).length, 2)
        yield* repo.expire(at(6).epochMillis)
        assert.deepStrictEqual(yield* repo.listIncidents(alert.id, null, 10), [seen])
        yield* repo.updateIncident({ ...seen, endedAt: at(8) })
        assert.deepStrictEqual(yield* repo.findOpen(alert.id), Option.none())
      })
    )
  })
}
