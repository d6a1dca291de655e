import { assert, it } from "@effect/vitest"
import { join } from "node:path"
import { laboratoryOf, units } from "../support/experiments/Laboratory.ts"
import { eventually } from "../support/Npm.ts"
import { fetchRequest, startServer, withFolder } from "../support/Server.ts"

const second = 1000

const started = async (folder: string) => {
  const server = await startServer(join(folder, "data"), ["--rate-limits", "off"])
  return { ...server, request: fetchRequest(server.url) }
}

// oxlint-disable-next-line typescript/no-explicit-any
type Body = any

it("a ramp that a kill cuts through goes on as planned, a start and an end come at their time, and units stay", () =>
  withFolder(async (folder) => {
    const before = await started(folder)
    const lab = await laboratoryOf(before.request, "ada")
    const now = Date.now()
    const at = (seconds: number) => new Date(now + seconds * second).toISOString()
    const steps = [
      { at: at(4), percent: 40 },
      { at: at(7), percent: 70 },
      { at: at(600), percent: 100 }
    ]
    const ramp = await lab.begin({ rollout: { percent: 10, steps } })
    const starting = await lab.begin({ startsAt: at(7) })
    const ending = await lab.begin({ endsAt: at(7) })
    const ids = units(200, "ramp")
    const groups = (assignments: Record<string, ReadonlyArray<Body>>) =>
      Object.entries(assignments).flatMap(([unit, all]) =>
        all.filter((each) => each.experimentId === ramp.experiment.id).map(({ groupId }) => [unit, groupId])
      )
    const first = groups(await lab.bulk("user", ids))
    const asked = async ({ request }: typeof before, path: string): Promise<Body> => {
      const headers = { ...lab.studio.cookie, environment_id: String(lab.studio.development) }
      return (await request("GET", path, { headers })).body
    }
    await eventually("the first step", async () =>
      (await asked(before, `${ramp.path}/rollout`)).percent === 10 ? undefined : true
    )
    before.process.kill("SIGKILL")
    await before.ended
    await eventually("the time of the second step", () => (Date.now() > now + 7 * second ? true : undefined))

    const after = await started(folder)
    const call = (path: string) => asked(after, path)
    const rollout = await call(`${ramp.path}/rollout`)
    assert.deepInclude(rollout, { percent: 70, status: "ramping" })
    assert.deepStrictEqual(
      rollout.history.map((entry: Body) => [entry.action, entry.at, entry.percent]),
      [
        ["step", steps[0]?.at, 40],
        ["step", steps[1]?.at, 70]
      ]
    )
    assert.deepStrictEqual(
      rollout.steps.map(({ state }: Body) => state),
      ["applied", "applied", "pending"]
    )
    const { phases } = await call(ramp.path)
    assert.deepStrictEqual(
      phases.map(({ percent }: Body) => percent),
      [10, 40, 70]
    )
    const begun = await call(starting.path)
    assert.deepStrictEqual([begun.status, begun.phases[0].from], ["active", starting.experiment.startsAt])
    assert.strictEqual((await call(ending.path)).status, "completed")

    const headers = { authorization: `Bearer ${lab.game.publicKey}`, environment: "development" }
    const body = { unitType: "user", units: ids.map((distinctId) => ({ distinctId })) }
    const answer = await after.request("POST", "/sdk/v2/experiments/assignments/bulk", { headers, body })
    const second70 = new Map(groups(answer.body.assignments).map(([unit, group]) => [unit, group]))
    assert.isAbove(second70.size, first.length)
    for (const [unit, group] of first) assert.strictEqual(second70.get(unit), group)
    await after.stop()
  }))
