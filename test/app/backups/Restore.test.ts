import { assert, describe, it } from "@effect/vitest"
import { NodeContext } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { mkdirSync, copyFileSync, existsSync } from "node:fs"
import { join } from "node:path"
import { accept } from "../../../src/adapters/sqlite/operations/Accept.ts"
import { Maintenance } from "../../../src/services/operations/Maintenance.ts"
import { SetAsideData } from "../../../src/services/operations/SetAsideData.ts"
import { TrustedClock } from "../../../src/services/operations/TrustedClock.ts"
import { Retention } from "../../../src/services/operations/Retention.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { mixtures } from "../../support/operations/Mixtures.ts"
import { eventually } from "../../support/Npm.ts"
import { withFolder } from "../../support/Server.ts"
import {
  serverOn,
  markersOf,
  strangersIn,
  doctorOn,
  groupsOf,
  copied,
  restored,
  on,
  agreesOnMembers
} from "../../support/operations/RestoredFolders.ts"

/** By their environments, what the ids of their units begin with. */
const namesOf = (labs: Readonly<Record<string, Laboratory>>) =>
  new Map(
    Object.entries(labs).flatMap(([name, { studio }]) =>
      [studio.development, studio.production].map((id) => [id, name] as const)
    )
  )

/** The texts of what the starts have found, in the log and as the doctor lists them, must be the same. */
const isAllTold = async ({ logged }: ReturnType<typeof serverOn>, folder: string) => {
  const listed = (await doctorOn(folder)).flatMap((line) => /Found at the start of \S+: (.*)/.exec(line)?.[1] ?? [])
  const told = logged.filter((line) => /^(ERROR|WARN) /.test(line)).map((line) => line.slice(line.indexOf(" ") + 1))
  assert.isAbove(told.length, 0)
  assert.strictEqual(listed.length, told.length, [...listed, "-- and in the log --", ...told].join("\n"))
  for (const text of told)
    assert.isTrue(
      listed.some((line) => line.startsWith(text)),
      text
    )
}

describe("I2: restoring copies of two times", () => {
  it("mixes no tenants, experiments and cohorts, whichever file is older", () =>
    withFolder(async (parent) => {
      const world = await copied(parent)
      const { ada, bea, cyd, gone, groups } = world

      const older = restored(parent, "older metadata", { "metadata.sqlite": "first", "events.sqlite": "second" })
      const first = serverOn(older)
      const dot = await laboratoryOf(first.request, "dot")
      assert.isAbove(Math.min(dot.studio.development, dot.studio.production), cyd.lab.studio.development)
      assert.deepStrictEqual(await strangersIn(first, dot, "dot"), [])
      assert.deepStrictEqual(await strangersIn(first, ada.lab, "ada"), [])
      assert.deepStrictEqual(await strangersIn(first, bea.lab, "bea"), [])
      const adaNow = on(first, ada)
      for (const [player, groupId] of Object.entries(groups)) {
        const { experiments } = await adaNow.evaluate(ada.begun.configuration.name, player)
        assert.deepStrictEqual([player, experiments[0].groupId], [player, groupId])
      }
      const fresh = await adaNow.analyst.list("newcomers", ["ada-19"])
      assert.isAbove(fresh.id, world.laterCohort.id)
      assert.deepStrictEqual(await adaNow.analyst.unitIds(fresh.id), ["ada-19"])
      const player = await adaNow.call("GET", `/application/${ada.lab.studio.applicationId}/players/${gone}`)
      assert.strictEqual(player.status, 404)
      assert.notInclude(Object.keys(await groupsOf({ ...ada.lab, call: adaNow.call }, ada.begun.path)), gone)
      const document = await adaNow.call("POST", `${ada.lab.root}/configuration`, {
        name: "new",
        configuration: { price: 1 }
      })
      const another = await adaNow.call("POST", `${ada.lab.root}/experiments`, ada.lab.plan(document.body.id))
      assert.strictEqual(another.status, 201, another.text)
      assert.isAbove(another.body.id, world.later.experiment.id)
      const exposedNow = await adaNow.call("GET", `${ada.lab.root}/experiments/${another.body.id}/assignments`)
      assert.deepStrictEqual(exposedNow.body.items, [])
      assert.deepStrictEqual(await first.run(mixtures(namesOf({ ada: ada.lab, bea: bea.lab, dot }))), [])
      await agreesOnMembers(first, ada)
      await first.run(
        Effect.provide(
          Effect.flatMap(Maintenance, (maintenance) => maintenance.run()),
          Maintenance.Default.pipe(Layer.provide(Retention.Default), Layer.provide(TrustedClock.Default))
        )
      )
      const aside = await first.run(
        Effect.flatMap(EventStore, (events) =>
          events.ask(EnvironmentId.make(cyd.lab.studio.development), { kind: "types", plan: { now: 0 } })
        )
      )
      assert.isAbove(aside.answer.length, 0)
      assert.isTrue(first.logged.some((line) => line.startsWith("ERROR metadata.sqlite is an older copy")))
      await first.close()
      await isAllTold(first, older)
      const listed = await doctorOn(older)
      assert.match(listed.join("\n"), /BAD .*metadata\.sqlite is an older copy.*keys that were revoked/)
      assert.match(listed.join("\n"), new RegExp(`holds environment ${cyd.lab.studio.development}, which`))
      assert.match(listed.join("\n"), new RegExp(`cohort ${world.laterCohort.id}, which`))
      assert.match(listed.join("\n"), /1 player of environment \d+, erased after the copy of metadata\.sqlite/)
      assert.match(listed.join("\n"), /24 units got back the group|\d+ units got back the group/)

      const deleting = serverOn(older)
      const remove = () =>
        deleting.run(
          Effect.provide(
            Effect.flatMap(SetAsideData, (data) => data.remove()),
            SetAsideData.Default
          )
        )
      const strangers = await remove()
      assert.deepInclude(strangers, {
        kind: "cohort",
        id: world.laterCohort.id,
        environmentId: ada.lab.studio.development
      })
      assert.isTrue(strangers.some(({ kind, id }) => kind === "environment" && id === cyd.lab.studio.development))
      assert.deepStrictEqual(await remove(), [])
      const left = await deleting.run(
        Effect.flatMap(EventStore, (events) =>
          events.ask(EnvironmentId.make(cyd.lab.studio.development), { kind: "types", plan: { now: 0 } })
        )
      )
      assert.strictEqual(left.answer.length, 0)
      await deleting.close()
      assert.match((await doctorOn(older)).join("\n"), /is set aside, .*Deleted at \d{4}-/)

      const newer = restored(parent, "older events", { "metadata.sqlite": "second", "events.sqlite": "first" })
      const second = serverOn(newer)
      const adaThen = on(second, ada)
      assert.deepStrictEqual(await strangersIn(second, ada.lab, "ada"), [])
      assert.deepStrictEqual(await strangersIn(second, bea.lab, "bea"), [])
      assert.deepStrictEqual(await strangersIn(second, cyd.lab, "cyd"), [])
      assert.strictEqual(
        (await adaThen.call("GET", `/application/${ada.lab.studio.applicationId}/players/${gone}`)).status,
        404
      )
      for (const unit of [...ada.players, ...world.more]) await adaThen.evaluate(ada.begun.configuration.name, unit)
      const exposed = async () =>
        new Set(
          (await markersOf(second, ada.lab, ada.lab.studio.development)).filter((each) => each.startsWith("ada-more-"))
        ).size
      await eventually("exposures of all", async () => ((await exposed()) < world.more.length ? undefined : true))
      assert.strictEqual(await exposed(), world.more.length)
      await agreesOnMembers(second, ada)
      const fay = await laboratoryOf(second.request, "fay")
      assert.isAbove(Math.min(fay.studio.development, fay.studio.production), cyd.lab.studio.development)
      const base = { name: "newer", configuration: { price: 1 } }
      const { id: baseId } = (await adaThen.call("POST", `${ada.lab.root}/configuration`, base)).body
      const begun = await adaThen.call("POST", `${ada.lab.root}/experiments`, ada.lab.plan(baseId))
      assert.strictEqual(begun.status, 201, begun.text)
      assert.isAbove(begun.body.id, world.later.experiment.id)
      const late = await adaThen.analyst.list("latecomers", ["ada-19"])
      assert.isAbove(late.id, world.laterCohort.id)
      assert.deepStrictEqual(await adaThen.analyst.unitIds(late.id), ["ada-19"])
      const everybody = { ada: ada.lab, bea: bea.lab, cyd: cyd.lab, fay }
      assert.deepStrictEqual(await second.run(mixtures(namesOf(everybody))), [])
      assert.isTrue(second.logged.some((line) => /^ERROR \d+ acknowledged markers of environment/.test(line)))
      const ready = await second.request("GET", "/ready")
      assert.deepStrictEqual(
        [ready.status, ready.body.status, ready.body.problems.map(({ code }: { code: string }) => code)],
        [200, "degraded", ["DATA_LOST"]]
      )
      await second.close()
      await isAllTold(second, newer)
      const lost = await doctorOn(newer)
      assert.match(lost.join("\n"), /BAD .*acknowledged markers of environment \d+ are missing/)
      assert.match(lost.join("\n"), /units? of environment \d+ will be exposed again/)
      assert.match(lost.join("\n"), /erased after the copy of events\.sqlite/)

      assert.match(await Effect.runPromise(Effect.provide(accept(newer), NodeContext.layer)), /losses were accepted/)
      const quiet = serverOn(newer)
      assert.deepInclude((await quiet.request("GET", "/ready")).body, { status: "ready", problems: [] })
      assert.strictEqual((await quiet.request("GET", "/health")).status, 200)
      assert.deepStrictEqual(quiet.logged, [])
      await quiet.close()
      assert.deepStrictEqual(
        (await doctorOn(newer)).filter((line) => line.startsWith("BAD")),
        []
      )

      const lostAll = join(parent, "lost metadata")
      mkdirSync(lostAll)
      copyFileSync(join(parent, "second", "events.sqlite"), join(lostAll, "events.sqlite"))
      await Effect.runPromise(Effect.provide(accept(lostAll), NodeContext.layer))
      const third = serverOn(lostAll)
      const eve = await laboratoryOf(third.request, "eve")
      assert.isAbove(eve.studio.production, cyd.lab.studio.development)
      assert.deepStrictEqual(await strangersIn(third, eve, "eve"), [])
      await third.close()
      assert.isTrue(existsSync(join(lostAll, "metadata.sqlite")))
    }))
})
