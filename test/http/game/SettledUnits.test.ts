import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { listening } from "../../support/game/Listening.ts"

let reads = 0

const counted = Layer.effect(
  AssignmentRepo,
  Effect.map(AssignmentRepo, (repo) =>
    AssignmentRepo.of({
      ...repo,
      ofUnits: (...asked) => {
        reads++
        return repo.ofUnits(...asked)
      }
    })
  )
).pipe(Layer.provideMerge(MemoryStores))

describe("a unit of which everything is known", () => {
  let lab: Laboratory

  beforeAll(async () => {
    lab = await laboratoryOf((await listening(counted)).request, "ada")
  })

  const ask = async (configuration: string, distinctId: string) => {
    reads = 0
    const unit = { type: "user", distinctId }
    const { body } = await lab.sdk("POST", "configurations/evaluate", { configuration, unit })
    return { reads, isFirst: body.experiments[0].exposureProxyRecorded, group: body.experiments[0].groupId }
  }

  it("is looked up no more from its second answer on, if it enters with its first", async () => {
    const { configuration } = await lab.begin()
    const first = await ask(configuration.name, "ann")
    assert.isTrue(first.isFirst)
    assert.isAbove(first.reads, 0)
    const expected = { reads: 0, isFirst: false, group: first.group }
    assert.deepStrictEqual(await ask(configuration.name, "ann"), expected)
    assert.deepStrictEqual(await ask(configuration.name, "ann"), expected)
  })

  it("is looked up no more once its exposure is stored, if somebody has put it into a group before", async () => {
    const { configuration, experiment, path } = await lab.begin()
    const [, dear] = experiment.groups
    await lab.call("POST", `${path}/assignments`, { distinctId: "bob", groupId: dear.id })
    assert.isTrue((await ask(configuration.name, "bob")).isFirst)
    await lab.exposed(path)
    assert.deepStrictEqual(await ask(configuration.name, "bob"), { reads: 0, isFirst: false, group: dear.id })
  })
})
