import { assert, describe, it } from "@effect/vitest"
import { DateTime, Either, FastCheck } from "effect"
import { createHash } from "node:crypto"
import type { Document, Json, Path } from "../../../src/domain/configuration/Document.ts"
import { bootstrap, status } from "../../../src/domain/game/Bootstrap.ts"
import { groupsOf } from "../../../src/domain/game/LegacyGroups.ts"
import { linkedPrivacy } from "../../../src/domain/game/LinkedPrivacy.ts"
import { deliver } from "../../../src/domain/game/Resolution.ts"
import type { Snapshot, SnapshotSource } from "../../../src/domain/game/Snapshot.ts"
import { named, snapshot } from "../../../src/domain/game/Snapshot.ts"
import type { StoredExperiment } from "../../../src/domain/experiments/StoredExperiment.ts"
import { ConfigurationId, ExperimentGroupId, ExperimentId } from "../../../src/domain/Ids.ts"
import { runCount } from "../../support/Runs.ts"

const digest = (text: string) => createHash("sha256").update(text).digest("hex")

const key = FastCheck.constantFrom("a", "b", "c")
const path = FastCheck.array(key, { minLength: 1, maxLength: 3 })
const link = FastCheck.record({
  id: FastCheck.integer({ min: 1, max: 3 }),
  path: FastCheck.array(key, { maxLength: 2 })
})

/** Values of documents; those of changes have no links, which are no way to write. */
const values = (links: boolean) =>
  FastCheck.letrec<{ value: Json }>((tie) => ({
    value: FastCheck.oneof(
      { maxDepth: 3, withCrossShrink: true },
      FastCheck.integer({ min: 0, max: 9 }),
      ...(links
        ? [link.map((each): Json => ({ $link: { configurationId: each.id, path: each.path } }))]
        : [FastCheck.constant<Json>("written")]),
      FastCheck.dictionary(key, tie("value"), { maxKeys: 3 }),
      FastCheck.array(tie("value"), { maxLength: 2 })
    )
  })).value

const studio = FastCheck.array(
  FastCheck.record({
    document: FastCheck.dictionary(key, values(true), { maxKeys: 3 }),
    privacy: FastCheck.array(path, { maxLength: 2 })
  }),
  { minLength: 3, maxLength: 3 }
).map((documents) =>
  documents.map((each, index): SnapshotSource => ({
    ...each,
    id: ConfigurationId.make(index + 1),
    name: `configuration ${index + 1}`,
    alias: `c${index + 1}`,
    isPrimary: index === 0,
    updatedAt: DateTime.unsafeMake(0)
  }))
)

const operation = FastCheck.oneof(
  FastCheck.record({ op: FastCheck.constantFrom("set" as const, "add" as const), path, value: values(false) }),
  FastCheck.record({ op: FastCheck.constant("delete" as const), path })
)

const experiments = FastCheck.array(
  FastCheck.record({
    base: FastCheck.integer({ min: 1, max: 3 }),
    unitType: FastCheck.constantFrom("user" as const, "server" as const),
    operations: FastCheck.array(operation, { maxLength: 4 })
  }),
  { maxLength: 3 }
).map((all) =>
  all.map(
    ({ base, unitType, operations }, index) =>
      ({
        id: ExperimentId.make(index + 1),
        name: `experiment ${index + 1}`,
        unitType,
        assignmentMode: "weightedHash",
        baseConfigurationId: ConfigurationId.make(base),
        autoAssignment: true,
        permanentEnrollment: true,
        targeting: { cohortIds: [], conditions: [], newUsersOnly: false },
        groups: [
          { id: ExperimentGroupId.make(index + 1), name: "g", label: null, isControl: false, changeset: { operations } }
        ],
        progress: { startsAt: 0, endsAt: null, groups: [{ weight: 10_000, isDropped: false }] }
      }) as unknown as StoredExperiment
  )
)

/** Values at a path as privacy walks it: into every item of an array. */
const valuesAt = (from: Json, [key, ...rest]: Path): ReadonlyArray<Json> => {
  if (Array.isArray(from)) return from.flatMap((item: Json) => valuesAt(item, key === undefined ? [] : [key, ...rest]))
  if (key === undefined) return [from]
  if (typeof from !== "object" || from === null || !Object.hasOwn(from, key)) return []
  return valuesAt((from as Document)[key]!, rest)
}

/** Everything that a public key can be sent of each configuration, by route. */
const shownTo = ({ configurations, ...rest }: Snapshot, running: ReadonlyArray<StoredExperiment>) => {
  const whole = bootstrap({ configurations, ...rest }, digest)
  return configurations.flatMap((entry) => {
    const own = running.filter(({ baseConfigurationId }) => baseConfigurationId === entry.id)
    const changes = own.map(({ id, unitType, groups }) => ({
      experimentId: id,
      unitType,
      changeset: groups[0]!.changeset
    }))
    const documents: ReadonlyArray<readonly [route: string, document: Document | undefined]> = [
      ["bootstrap", whole.configurations.find(({ id }) => id === entry.id)?.configuration],
      ["get by alias", named(configurations, entry.alias!)?.configuration],
      ["get by name", named(configurations, entry.name)?.configuration],
      ["evaluate", deliver(entry.resolution, changes)],
      ...own.flatMap((each) => groupsOf(entry, each).map(({ configs }) => ["group", configs.variables] as const))
    ]
    return documents.map(([route, document]) => ({ id: entry.id, route, document }))
  })
}

describe("a public key, over random documents, links, privacy and changes", () => {
  it("sees no private path by any route, whatever links and experiments write there", () => {
    let seen = 0
    FastCheck.assert(
      FastCheck.property(studio, experiments, (sources, running) => {
        const lookup = (id: number) => sources[id - 1]
        const client = snapshot(sources, running, "client", digest)
        for (const { id, route, document } of shownTo(client, running)) {
          const source = lookup(id)!
          assert.isDefined(document, route)
          for (const path of [...source.privacy, ...Either.getOrThrow(linkedPrivacy(source, lookup, false))]) {
            if (path.length === 0)
              assert.deepStrictEqual(
                document,
                deliver(client.configurations.find((each) => each.id === id)!.resolution, [])
              )
            else assert.deepStrictEqual(valuesAt(document!, path), [], `${route} ${JSON.stringify(path)}`)
          }
          seen++
        }
      }),
      { numRuns: runCount(2_000), endOnFailure: true }
    )
    assert.isAbove(seen, runCount(3_000))
  })

  it("learns nothing of a private value from hashes, privacy lists or the status", () => {
    FastCheck.assert(
      FastCheck.property(
        studio,
        experiments,
        FastCheck.integer({ min: 0, max: 2 }),
        key,
        (sources, running, which, key) => {
          const holding = (value: Json) =>
            sources.map((source, index) =>
              index === which
                ? { ...source, document: { ...source.document, [key]: value }, privacy: [...source.privacy, [key]] }
                : source
            )
          const [before, after] = ["a value", "another value"].map((value) =>
            snapshot(holding(value), running, "client", digest)
          )
          assert.deepStrictEqual(status(after!, digest), status(before!, digest))
          assert.deepStrictEqual(bootstrap(after!, digest), bootstrap(before!, digest))
          for (const { privacy } of bootstrap(after!, digest).configurations) assert.deepStrictEqual(privacy, [])
        }
      ),
      { numRuns: runCount(1_000), endOnFailure: true }
    )
  })
})
