import { assert, describe, it } from "@effect/vitest"
import { NodeContext } from "@effect/platform-node"
import Database from "better-sqlite3"
import { ConfigProvider, Effect } from "effect"
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { examine } from "../../../src/adapters/sqlite/operations/Doctor.ts"
import { placeProblem, backUpInto, listBackups, restoreFrom } from "../../../src/app/commands/BackupFiles.ts"
import { defaults } from "../../../src/app/Config.ts"
import { formatVersion } from "../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { laboratoryOf, units } from "../../support/experiments/Laboratory.ts"
import { cohortAnalystOf } from "../../support/cohorts/CohortAnalyst.ts"
import {
  agreesOnMembers,
  configurationNames,
  doctorOn,
  groupsOf,
  markersOf,
  numbersAfter,
  on,
  serverOn
} from "../../support/operations/RestoredFolders.ts"
import { gamekeeper, root, startServer, withFolder } from "../../support/Server.ts"

/** What a command of its own process prints. */
const printed = async (...args: ReadonlyArray<string>) => {
  const { code, out, err } = await gamekeeper(args).ended
  assert.strictEqual(code, 0, out + err)
  return out
}

const backedUp = (data: string, to: string, keep: number | null = null) =>
  Effect.runPromise(Effect.provide(backUpInto({ data, to, keep }, defaults), NodeContext.layer))

const restored = (from: string, data: string, force = false) =>
  Effect.runPromise(Effect.provide(restoreFrom({ from, data, force }, defaults), NodeContext.layer))

/** Why restoring is refused. */
const refusal = (from: string, data: string, force: boolean) =>
  Effect.runPromise(
    restoreFrom({ from, data, force }, defaults).pipe(
      Effect.flip,
      Effect.map(({ message }) => message),
      Effect.provide(NodeContext.layer)
    )
  )

const level = (unitId: string) => ({ timestamp: Date.now(), eventName: "Level", distinctId: unitId })

const environment = { environment: "development" }

describe("backups", () => {
  it("I4: taken beside a server that is written to end, and hold both files of one instant", { timeout: 300_000 }, () =>
    withFolder(async (parent) => {
      const [live, backups] = [join(parent, "live"), join(parent, "backups")]
      const server = serverOn(live)
      const lab = await laboratoryOf(server.request, "ada")
      const analyst = cohortAnalystOf(server.request, lab.studio)
      const begun = await lab.begin({ assignmentMode: "roundRobin" })
      const work = { isOver: false, acknowledged: 0 }
      // Each configuration is there before its marker is sent: a copy of two instants has a marker without one, or several too many.
      const pairs = async () => {
        for (let k = 1; !work.isOver; k++) {
          await lab.configure({ name: `pair ${k}` })
          await lab.game.send([level(`pair ${k}`)], environment)
          work.acknowledged = k
        }
      }
      const players = async () => {
        for (let k = 1; !work.isOver; k++) {
          await lab.evaluate(begun.configuration.name, `player ${k}`)
          if (k % 20 === 0) await analyst.list(`list ${k}`, [`player ${k}`, `player ${k - 1}`])
        }
      }
      const crowd = async (name: string) => {
        for (let k = 1; !work.isOver; k++) await lab.game.send(units(20, `${name} ${k} `).map(level), environment)
      }
      const load = Promise.all([pairs(), players(), crowd("bea"), crowd("cyd")])
      const acknowledged = [work.acknowledged]
      assert.match(await printed("backup", "--data", live, "--to", backups), /is complete and was read back/)
      work.isOver = true
      await load
      await lab.exposed(begun.path)
      await backedUp(live, backups)
      const groups = await groupsOf(lab, begun.path)
      const atTheEnd = await markersOf(server, lab, lab.studio.development)
      await server.close()

      const names = readdirSync(backups).sort()
      assert.strictEqual(names.length, 2)
      for (const [at, name] of names.entries()) {
        const folder = join(parent, name)
        await restored(join(backups, name), folder)
        const configured = Math.max(0, ...numbersAfter("pair ", configurationNames(folder)))
        const again = serverOn(folder)
        const markers = await markersOf(again, lab, lab.studio.development)
        const sent = Math.max(0, ...numbersAfter("pair ", markers))
        assert.include([sent, sent + 1], configured, name)
        assert.isAtLeast(sent, acknowledged[at] ?? work.acknowledged)
        const { call } = on(again, { lab })
        const { items } = (await call("GET", `${begun.path}/assignments?pageSize=1000`)).body
        for (const { distinctId, groupId } of items) assert.strictEqual(groupId, groups[distinctId])
        await agreesOnMembers(again, { lab } as Parameters<typeof agreesOnMembers>[1])
        if (at === 1) {
          assert.deepStrictEqual([...markers].sort(), [...atTheEnd].sort())
          assert.strictEqual(items.length, Object.keys(groups).length)
        }
        await again.close()
        assert.deepStrictEqual(
          (await doctorOn(folder)).filter((line) => line.startsWith("BAD")),
          []
        )
      }
    })
  )

  it("are rotated, listed and restored; what is damaged or in use is refused, and changes nothing", () =>
    withFolder(async (parent) => {
      const [data, backups, copies] = [join(parent, "data"), join(parent, "backups"), join(parent, "copies")]
      await printed("migrate", "--data", data)
      const first = await backedUp(data, backups)
      const second = await backedUp(data, backups)
      const third = await backedUp(data, backups, 2)
      assert.deepStrictEqual(third.removed, [first.name])
      assert.deepStrictEqual(
        (await Effect.runPromise(Effect.provide(listBackups(backups, defaults), NodeContext.layer))).map(
          ({ name }) => name
        ),
        [second.name, third.name]
      )
      assert.match(
        await printed("backups", "--from", backups),
        new RegExp(`^${second.name}  of \\d{4}-[^\n]+\n${third.name}`)
      )
      assert.deepStrictEqual(readdirSync(backups).sort(), [second.name, third.name])

      const drill = await printed("drill", "--from", backups, "--in", parent)
      assert.match(
        drill,
        new RegExp(
          `ok {3}metadata\\.sqlite and events\\.sqlite belong together[^]*${third.name} can be restored and started`
        )
      )
      assert.notInclude(drill, "of disk are free", "which would say nothing of the backup")
      assert.deepStrictEqual(readdirSync(parent).sort(), ["backups", "data"])

      const before = readFileSync(join(data, "metadata.sqlite"))
      assert.match(await refusal(backups, data, false), /is not empty \(events\.sqlite/)
      assert.match(await refusal(backups, backups, true), /holds backups and no databases: name a folder of its own/)
      assert.deepStrictEqual(readdirSync(backups).sort(), [second.name, third.name])
      const damages: ReadonlyArray<readonly [name: string, change: (bytes: Buffer) => Buffer]> = [
        ["metadata.sqlite.gz", (bytes) => bytes.fill((bytes[600] ?? 0) ^ 1, 600, 601)],
        ["events.sqlite.gz", (bytes) => bytes.subarray(0, -1)],
        ["manifest.json", (bytes) => bytes.subarray(0, -10)]
      ]
      for (const [name, change] of damages) {
        const copy = join(copies, name, second.name)
        mkdirSync(copy, { recursive: true })
        for (const each of readdirSync(join(backups, second.name)))
          copyFileSync(join(backups, second.name, each), join(copy, each))
        writeFileSync(join(copy, name), change(readFileSync(join(copy, name))))
        assert.match(await refusal(copy, data, true), /cannot be unpacked|is damaged|is no complete backup/)
      }
      assert.deepStrictEqual(readFileSync(join(data, "metadata.sqlite")), before)
      assert.deepStrictEqual(
        readdirSync(data).filter((name) => /^(restoring|replaced)/.test(name)),
        []
      )

      const holder = new Database(join(data, "lock"))
      holder.exec("begin exclusive")
      assert.match(await refusal(backups, data, true), /Another gamekeeper uses the data folder/)
      holder.close()
      mkdirSync(join(data, "imports"))
      const forced = await printed("restore", "--from", backups, "--data", data, "--force")
      const aside = /What was there before is in (\S+)/.exec(forced)?.[1] ?? ""
      assert.deepStrictEqual(readFileSync(join(aside, "metadata.sqlite")), before)
      assert.isTrue(existsSync(join(aside, "events.sqlite")))
      // What they say is stored is not in the backup.
      assert.deepStrictEqual([existsSync(join(data, "imports")), existsSync(join(aside, "imports"))], [false, true])
      const findings = await Effect.runPromise(Effect.provide(examine(data, true, 400), NodeContext.layer))
      assert.deepStrictEqual(
        findings.filter(({ isGood }) => !isGood),
        []
      )
    }))

  it("of damaged markers say so and leave older backups; those of older formats are complete", () =>
    withFolder(async (parent) => {
      const [data, backups] = [join(parent, "data"), join(parent, "backups")]
      mkdirSync(data)
      new Database(join(data, "metadata.sqlite"))
        .exec("create table effect_sql_migrations (migration_id integer); insert into effect_sql_migrations values (3)")
        .close()
      const events = (format: number) =>
        writeFileSync(
          join(data, "events.sqlite"),
          gunzipSync(readFileSync(join(root, "test", "fixtures", "events", `format-${format}.sqlite.gz`)))
        )
      events(1)
      const oldest = await backedUp(data, backups, 1)
      assert.deepInclude(oldest.manifest, { installation: null, formats: { metadata: 3, events: 1 }, damage: [] })
      events(formatVersion)
      const whole = await backedUp(data, backups, 1)
      assert.deepStrictEqual([whole.manifest.damage, whole.removed], [[], [oldest.name]])
      assert.isAbove(whole.manifest.files.events.counts["markers"] ?? 0, 900)
      const database = new Database(join(data, "events.sqlite"))
      const change =
        "update segment_column set data = zeroblob(length(data)) where id = (select min(id) from segment_column)"
      assert.strictEqual(database.prepare(change).run().changes, 1)
      database.close()
      const damaged = await backedUp(data, backups, 1)
      assert.isAbove(damaged.manifest.damage.length, 0)
      assert.deepStrictEqual(damaged.removed, [])
      assert.deepStrictEqual(readdirSync(backups).sort(), [whole.name, damaged.name])
    }))

  it("cannot go into a file, nor into a bucket without a key", () =>
    withFolder(async (folder) => {
      const file = join(folder, "file")
      writeFileSync(file, "")
      const problem = (to: string) =>
        placeProblem(to, defaults).pipe(
          Effect.withConfigProvider(ConfigProvider.fromMap(new Map())),
          Effect.provide(NodeContext.layer),
          Effect.runPromise
        )
      assert.strictEqual(await problem(file), `${file} is no folder`)
      const within = join(file, "to")
      const reason = `a file is in the place of a folder in ${within} (ENOTDIR)`
      assert.strictEqual(await problem(within), `${within} cannot be written: ${reason}`)
      assert.match((await problem("s3://backups/live")) ?? "", /^A bucket needs GAMEKEEPER_S3_ACCESS_KEY_ID/)
      for (const usable of [folder, join(folder, "new")]) assert.isNull(await problem(usable))
    }))

  it("is made by the server itself where it is told to, and not once more by the next one", () =>
    withFolder(async (folder) => {
      const [data, to] = [join(folder, "data"), join(folder, "to")]
      const complete = () =>
        existsSync(to) ? Effect.runPromise(Effect.provide(listBackups(to, defaults), NodeContext.layer)) : []
      const first = await startServer(data, ["--backup-to", to])
      while ((await complete()).length === 0) await new Promise((resume) => setTimeout(resume, 500))
      await first.stop()
      const second = await startServer(data, ["--backup-to", to])
      await new Promise((resume) => setTimeout(resume, 7000))
      await second.stop()
      assert.strictEqual((await complete()).length, 1)
    }))
})
