import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ExperimentDraftRepo } from "../../../src/ports/experiments/ExperimentDraftRepo.ts"
import { refused } from "../../support/Caller.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { makeGate } from "../../support/Gate.ts"
import { type TwoApps, twoApps } from "../../support/operations/TwoApps.ts"
import { stores } from "../../support/Stores.ts"

const found = makeGate()

const heldDrafts = Layer.effect(
  ExperimentDraftRepo,
  Effect.map(ExperimentDraftRepo, (repo) => ({
    ...repo,
    find: (...of: Parameters<typeof repo.find>) => Effect.zipLeft(repo.find(...of), found.pass)
  }))
)

/** Looks at a draft before it is checked: by the log of changes, and for a change, which may be one of what has started, as well. */
const [beforeStart, beforeChange] = [1, 2]

/** Games are told nothing of drafts, so that one process does not hear of what another one does with them. */
describe.each(stores)("a draft that is changed in two processes at once, over %s", (_, store) => {
  let two: TwoApps
  let lab: Laboratory

  beforeAll(async () => {
    two = await twoApps(Layer.merge(store, Layer.provide(heldDrafts, store)))
    lab = await laboratoryOf(two.a.request, "ada")
  }, 60_000)

  const atB = (method: string, path: string, body?: unknown) =>
    two.b.request(method, path, {
      headers: { ...lab.studio.cookie, environment_id: String(lab.studio.development) },
      ...(body === undefined ? {} : { body })
    })

  const drafted = async () => {
    const plan = lab.plan((await lab.configure()).id)
    const { body } = await lab.call("POST", `${lab.root}/experiments`, { ...plan, status: "draft" })
    return { made: body, path: `${lab.root}/experiments/${body.id}` }
  }

  const succeeds = (status: number, method: string, path: string, body?: unknown) => async () =>
    assert.strictEqual((await atB(method, path, body)).status, status)

  it("has both changes", async () => {
    const { path } = await drafted()
    const answer = await found.overtaken(
      () => lab.call("PATCH", path, { name: "from A" }),
      succeeds(200, "PATCH", path, { description: "from B" }),
      beforeChange
    )
    assert.deepInclude(answer.body, { name: "from A", description: "from B" })
    assert.deepInclude((await lab.call("GET", path)).body, { name: "from A", description: "from B" })
  })

  it("has the first change alone where the second was made on the state before", async () => {
    const { made, path } = await drafted()
    const answer = await found.overtaken(
      () => lab.call("PATCH", path, { name: "from A", basedOn: made.updatedAt }),
      succeeds(200, "PATCH", path, { name: "from B", basedOn: made.updatedAt }),
      beforeChange
    )
    refused(answer, 409, "EXPERIMENT_CHANGED")
    assert.strictEqual((await lab.call("GET", path)).body.name, "from B")
  })

  it("starts as it was changed last", async () => {
    const { path } = await drafted()
    const answer = await found.overtaken(
      () => lab.call("POST", `${path}/start`),
      succeeds(200, "PATCH", path, { name: "from B" }),
      beforeStart
    )
    assert.deepInclude(answer.body, { name: "from B", status: "active" })
    await lab.end(path)
  })

  it("does not start once it is deleted, nor is it there again", async () => {
    for (const [method, more, body, before] of [
      ["POST", "/start", undefined, beforeStart],
      ["PATCH", "", { name: "from A" }, beforeChange]
    ] as const) {
      const { path } = await drafted()
      const answer = await found.overtaken(
        () => lab.call(method, `${path}${more}`, body),
        succeeds(204, "DELETE", path),
        before
      )
      refused(answer, 404, "EXPERIMENT_NOT_FOUND")
      refused(await lab.call("GET", path), 404, "EXPERIMENT_NOT_FOUND")
    }
  })
})
