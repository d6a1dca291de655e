import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterEach, vi } from "vitest"
import { AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const layer = { exclusionLayer: "garden" }

describe.each(stores)("experiments of one layer over %s", (_, store) => {
  const { request, run } = testApp(store)
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf(request, "ada")
  })

  afterEach(() => {
    vi.restoreAllMocks()
  })

  type Begun = Awaited<ReturnType<Laboratory["begin"]>>

  const assign = ({ path, experiment }: Begun, distinctId: string) =>
    lab.call("POST", `${path}/assignments`, { distinctId, groupId: experiment.groups[0].id })

  const later = () => lab.begin({ ...layer, startsAt: new Date(Date.now() + 3_600_000).toISOString() })

  const holders = async (all: ReadonlyArray<Begun>, distinctId: string) => {
    const held = await Promise.all(all.map(({ path }) => lab.call("GET", `${path}/members?search=${distinctId}`)))
    return held.map(({ body }) => body.total)
  }

  it.each(["weightedHash", "roundRobin"])(
    "do not both get a unit that a person puts into one while it enters the other (%s)",
    async (assignmentMode) => {
      const [one, two] = [await lab.begin({ ...layer, assignmentMode }), await later()]
      const repo = await run(AssignmentRepo)
      const { ofUnits } = repo
      vi.spyOn(repo, "ofUnits").mockImplementationOnce((environmentId, unitType, distinctIds) =>
        Effect.tap(ofUnits(environmentId, unitType, distinctIds), () => Effect.promise(() => assign(two, "rose")))
      )
      const { experiments } = await lab.evaluate(one.configuration.name, "rose")
      assert.deepStrictEqual([experiments, await holders([one, two], "rose")], [[], [0, 1]])
      assert.strictEqual((await lab.evaluate(one.configuration.name, "lily")).experiments.length, 1)
      for (const { path } of [one, two]) await lab.end(path)
    }
  )
})
