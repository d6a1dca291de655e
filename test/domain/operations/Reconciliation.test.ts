import { assert, describe, it } from "@effect/vitest"
import { type EventFacts, type MetadataFacts, planRepairs } from "../../../src/domain/operations/Reconciliation.ts"

const metadata: MetadataFacts = {
  round: 10,
  notedAt: 1000,
  environments: new Set([1, 2]),
  cohorts: [{ id: 1, environmentId: 1, kind: "dynamic", memberCount: 3 }],
  sequences: new Map([[1, 100]]),
  counters: new Map([
    ["environments", 2],
    ["cohorts", 1],
    ["organizations", 1]
  ]),
  areAssignmentsLost: false,
  setAside: new Set(),
  erasures: []
}

const events: EventFacts = {
  round: 10,
  notedAt: 1000,
  environments: new Map([[1, { highestSequence: 100, newestReceipt: 900_000 }]]),
  cohorts: [{ id: 1, environmentId: 1, memberCount: 3 }],
  counters: metadata.counters,
  erasures: []
}

const nothing = {
  isMetadataOlder: false,
  isEventsOlder: false,
  lost: [],
  setAside: [],
  leftover: [],
  counters: [],
  exposures: [],
  erasuresInMetadata: [],
  erasuresInEvents: [],
  cohorts: []
}

const plan = (changed: Partial<MetadataFacts>, other: Partial<EventFacts>) =>
  planRepairs({ ...metadata, ...changed }, { ...events, ...other })

const held = (highestSequence: number) => ({ highestSequence, newestReceipt: 900_000 })

describe("I2: the plan of repairs", () => {
  it("is empty for files that agree, and after a crash between the notes of one round", () => {
    assert.deepStrictEqual(plan({}, {}), nothing)
    assert.deepStrictEqual(plan({ round: 11 }, {}), nothing)
    assert.deepStrictEqual(plan({}, { environments: new Map([[1, held(140)]]) }), nothing)
  })

  it("I5: names markers that were acknowledged and are gone", () => {
    const { lost, isEventsOlder, exposures } = plan({}, { environments: new Map([[1, held(60)]]) })
    assert.deepStrictEqual(lost, [{ environmentId: 1, noted: 100, found: 60 }])
    assert.isTrue(isEventsOlder)
    assert.deepStrictEqual(exposures, [
      { environmentId: 1, after: 890_000 },
      { environmentId: 2, after: -10_000 }
    ])
    assert.deepStrictEqual(plan({}, { environments: new Map() }).lost, [{ environmentId: 1, noted: 100, found: 0 }])
  })

  it("misses nothing of an environment that was removed", () => {
    assert.deepStrictEqual(plan({ sequences: new Map([[7, 50]]) }, {}).lost, [])
  })

  it("sets aside what is of a time that the metadata have not seen, and lifts the counters above it", () => {
    const { setAside, counters, isMetadataOlder } = plan(
      {},
      {
        round: 12,
        environments: new Map([...events.environments, [5, held(3)]]),
        cohorts: [...events.cohorts, { id: 4, environmentId: 1, memberCount: 1 }],
        counters: new Map([["organizations", 3]])
      }
    )
    assert.isTrue(isMetadataOlder)
    assert.deepStrictEqual(setAside, [
      { kind: "environment", id: 5, environmentId: 5 },
      { kind: "cohort", id: 4, environmentId: 1 }
    ])
    assert.deepStrictEqual(counters, [
      ["organizations", 3],
      ["environments", 5],
      ["cohorts", 4]
    ])
  })

  it("leaves aside what is set aside already, and takes an id given before for one that was removed", () => {
    const removed = { environments: new Map([...events.environments, [2, held(3)], [3, held(3)]]), cohorts: [] }
    const counters = new Map([...metadata.counters, ["environments", 9], ["cohorts", 9]] as const)
    assert.deepStrictEqual(plan({ counters, cohorts: [] }, removed).setAside, [])
    const left = plan({ counters }, { cohorts: [...events.cohorts, { id: 2, environmentId: 1, memberCount: 1 }] })
    assert.deepStrictEqual(left.leftover, [{ kind: "cohort", id: 2, environmentId: 1 }])
    const again = plan(
      { setAside: new Set(["cohort 2"]), counters },
      { cohorts: [...events.cohorts, { id: 2, environmentId: 1, memberCount: 1 }] }
    )
    assert.deepStrictEqual([again.leftover, again.setAside], [[], []])
  })

  it("does erasures again in the file that is older than they are", () => {
    const erasure = { environmentId: 1, fingerprint: "f", erasedAt: 500 }
    assert.deepStrictEqual(plan({ erasures: [erasure] }, {}).erasuresInEvents, [erasure])
    assert.deepStrictEqual(plan({}, { erasures: [erasure] }).erasuresInMetadata, [erasure])
    const both = plan({ erasures: [erasure] }, { erasures: [{ ...erasure, erasedAt: 501 }] })
    assert.deepStrictEqual([both.erasuresInEvents, both.erasuresInMetadata], [[], []])
    const later = { ...erasure, erasedAt: 90_000 }
    assert.deepStrictEqual(plan({ erasures: [erasure] }, { erasures: [later], round: 11 }).erasuresInMetadata, [later])
    assert.deepStrictEqual(plan({ erasures: [later] }, { erasures: [erasure] }).erasuresInEvents, [later])
    assert.deepStrictEqual(plan({}, { erasures: [{ ...erasure, environmentId: 9 }] }).erasuresInMetadata, [])
  })

  it("I11: counts the members that there are", () => {
    assert.deepStrictEqual(plan({}, { cohorts: [] }).cohorts, [
      { id: 1, environmentId: 1, kind: "dynamic", recorded: 3, memberCount: 0 }
    ])
  })
})
