import { assert, describe, it } from "@effect/vitest"
import type { Assignment } from "../../../src/domain/experiments/Assignment.ts"
import * as Bucketing from "../../../src/domain/experiments/Bucketing.ts"
import type { Decision, Subject, Unit } from "../../../src/domain/experiments/Decision.ts"
import { decide, exclusion } from "../../../src/domain/experiments/Decision.ts"
import { everyone } from "../../../src/domain/experiments/Targeting.ts"
import { ExperimentGroupId } from "../../../src/domain/Ids.ts"

const [control, treatment, third] = [1, 2, 3].map((id) => ExperimentGroupId.make(id)) as [
  ExperimentGroupId,
  ExperimentGroupId,
  ExperimentGroupId
]

const subject: Subject = {
  seed: "decision",
  hashVersion: 2,
  status: "active",
  assignmentMode: "weightedHash",
  autoAssignment: true,
  permanentEnrollment: true,
  exclusionLayer: null,
  holdoutPercent: 0,
  percent: 100,
  targeting: everyone,
  groups: [
    { id: control, weight: 5_000, isDropped: false },
    { id: treatment, weight: 5_000, isDropped: false },
    { id: third, weight: 0, isDropped: true }
  ]
}

const distinctId = "player-1"
const unit: Unit = { distinctId, context: {}, cohorts: new Set(), isNew: false, assignment: null }

const assigned: Assignment = { automaticGroupId: control, overrideGroupId: null, status: "active" }
const overridden: Assignment = { ...assigned, overrideGroupId: treatment, status: "unenrolled" }

const own = Bucketing.layerSlot("economy", distinctId)
const inLayer = { layer: "economy", slots: [own, own + 1] as const }
const outsideLayer = { layer: "economy", slots: [own + 1, 10_000] as const }
const unmatched = { ...everyone, conditions: [{ property: "properties.x", operator: "isSet" as const, operands: [] }] }

const arm = subject.groups[Bucketing.arm(subject, distinctId, [5_000, 5_000, 0])!]!.id
const none = (reason: string) => ({ type: "none", reason })
const member = (groupId: ExperimentGroupId, isManual = false, getsChangeset = true) => ({
  type: "member",
  groupId,
  isManual,
  getsChangeset
})

interface Row {
  readonly name: string
  readonly of?: Partial<Subject>
  readonly by?: Partial<Unit>
  readonly expected: object
}

describe("decision", () => {
  const everythingAgainst: Partial<Subject> = {
    holdoutPercent: 100,
    exclusionLayer: outsideLayer,
    targeting: unmatched,
    percent: 0
  }
  const rows: ReadonlyArray<Row> = [
    { name: "a new unit by hash", expected: { type: "enrol", groupId: arm } },
    { name: "a new unit by turn", of: { assignmentMode: "roundRobin" }, expected: { type: "enrolNext" } },
    {
      name: "the end before a group given by hand",
      of: { status: "completed" },
      by: { assignment: overridden },
      expected: none("ended")
    },
    {
      name: "the termination before all",
      of: { status: "terminated" },
      by: { assignment: assigned },
      expected: none("ended")
    },
    {
      name: "nothing before the start",
      of: { status: "scheduled" },
      by: { assignment: assigned },
      expected: none("notStarted")
    },
    {
      name: "a group given by hand before unenrolment and all exclusions",
      of: everythingAgainst,
      by: { assignment: overridden },
      expected: member(treatment, true)
    },
    {
      name: "unenrolment before the assignment",
      by: { assignment: { ...assigned, status: "unenrolled" } },
      expected: none("unenrolled")
    },
    {
      name: "the assignment before holdout, layer, targeting and percent",
      of: everythingAgainst,
      by: { assignment: assigned },
      expected: member(control)
    },
    {
      name: "the assignment while paused",
      of: { status: "paused" },
      by: { assignment: assigned },
      expected: member(control)
    },
    {
      name: "a dropped group without its changeset",
      by: { assignment: { ...assigned, automaticGroupId: third } },
      expected: member(third, false, false)
    },
    {
      name: "targeting again without permanent enrolment",
      of: { permanentEnrollment: false, targeting: unmatched },
      by: { assignment: assigned },
      expected: none("targeting")
    },
    {
      name: "the same group once targeting matches again",
      of: { permanentEnrollment: false, targeting: unmatched },
      by: { assignment: assigned, context: { "properties.x": 1 } },
      expected: member(control)
    },
    {
      name: "new users for good without permanent enrolment",
      of: { permanentEnrollment: false, targeting: { ...everyone, newUsersOnly: true } },
      by: { assignment: assigned },
      expected: member(control)
    },
    {
      name: "a cleared hand assignment as new",
      by: { assignment: { automaticGroupId: null, overrideGroupId: null, status: "active" } },
      expected: { type: "enrol", groupId: arm }
    },
    { name: "nobody new while paused", of: { status: "paused" }, expected: none("paused") },
    { name: "nobody new without automatic assignment", of: { autoAssignment: false }, expected: none("manualOnly") },
    { name: "holdout before the layer", of: everythingAgainst, expected: none("holdout") },
    { name: "layer before targeting", of: { ...everythingAgainst, holdoutPercent: 0 }, expected: none("layer") },
    {
      name: "targeting before the percent",
      of: { ...everythingAgainst, holdoutPercent: 0, exclusionLayer: inLayer },
      expected: none("targeting")
    },
    { name: "the percent before the arm", of: { percent: 0, groups: [] }, expected: none("notEnrolled") },
    { name: "no group without weight", of: { groups: [subject.groups[2]!] }, expected: none("noOpenGroup") },
    {
      name: "no turn without weight",
      of: { groups: [subject.groups[2]!], assignmentMode: "roundRobin" },
      expected: none("noOpenGroup")
    },
    { name: "the holdout of all experiments without a layer", of: { holdoutPercent: 100 }, expected: none("holdout") }
  ]
  for (const { name, of, by, expected } of rows) {
    it(`gives ${name}`, () => {
      const decision: Decision = decide({ ...subject, ...of }, { ...unit, ...by })
      assert.deepStrictEqual(decision, expected as Decision)
    })
  }

  it("tells why a unit is excluded, for assignments by hand", () => {
    assert.strictEqual(exclusion({ ...subject, holdoutPercent: 100 }, distinctId), "holdout")
    assert.strictEqual(exclusion({ ...subject, exclusionLayer: outsideLayer }, distinctId), "layer")
    assert.isNull(exclusion({ ...subject, exclusionLayer: inLayer }, distinctId))
    assert.isNull(exclusion(subject, distinctId))
  })

  it("holds the same units out of experiments of one layer that hold out equally many, and more out of others", () => {
    const whole = { layer: "economy", slots: [0, 10_000] as const }
    const holding = (seed: string, holdoutPercent: number): Subject => ({
      ...subject,
      seed,
      exclusionLayer: whole,
      holdoutPercent
    })
    const heldOut = (one: Subject) =>
      Array.from({ length: 2_000 }, (_, index) => `u${index}`).filter((id) => exclusion(one, id) === "holdout")
    const few = heldOut(holding("first", 20))
    assert.deepStrictEqual(heldOut(holding("second", 20)), few)
    assert.includeMembers(heldOut(holding("third", 40)), few)
    assert.isEmpty(heldOut(holding("fourth", 0)))
  })

  it("puts no unit into two experiments of one layer with slots apart", () => {
    const first: Subject = { ...subject, exclusionLayer: { layer: "economy", slots: [0, 4_000] } }
    const second: Subject = { ...subject, seed: "other", exclusionLayer: { layer: "economy", slots: [4_000, 10_000] } }
    const counts = { first: 0, second: 0, both: 0 }
    for (let index = 0; index < 10_000; index++) {
      const someone = { ...unit, distinctId: `player-${index}` }
      const [a, b] = [first, second].map((subject) => decide(subject, someone).type === "enrol")
      if (a === true) counts.first++
      if (b === true) counts.second++
      if (a === true && b === true) counts.both++
    }
    assert.strictEqual(counts.both, 0)
    assert.strictEqual(counts.first + counts.second, 10_000)
    assert.approximately(counts.first / 10_000, 0.4, 0.02)
  })
})
