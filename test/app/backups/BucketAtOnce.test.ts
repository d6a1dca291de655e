import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, it } from "@effect/vitest"
import { Clock, ConfigProvider, Effect } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import S3rver from "s3rver"
import { backUpInto, listBackups, restoreFrom } from "../../../src/app/commands/BackupFiles.ts"
import { laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { serverOver } from "../../support/operations/DamageWorld.ts"
import { withFolder } from "../../support/Server.ts"

const instant = Date.UTC(2026, 10, 2, 3)

/** Two servers that are both told to back up at three in the morning may do so in the same millisecond. */
const atThree: Clock.Clock = Object.assign(Clock.make(), { currentTimeMillis: Effect.succeed(instant) })

it("backups of several servers into one bucket are all there, also of one millisecond, each with its own files", async () => {
  await withFolder(async (folder) => {
    const store = join(folder, "store")
    mkdirSync(store)
    const s3 = new S3rver({
      port: 0,
      address: "127.0.0.1",
      silent: true,
      directory: store,
      configureBuckets: [{ name: "backups", configs: [] }]
    })
    const settings = { s3Endpoint: `http://127.0.0.1:${Object(await s3.run()).port}`, s3Region: "us-east-1" }
    const key = ConfigProvider.fromMap(
      new Map([
        ["GAMEKEEPER_S3_ACCESS_KEY_ID", "S3RVER"],
        ["GAMEKEEPER_S3_SECRET_ACCESS_KEY", "S3RVER"]
      ])
    )
    const folders = [join(folder, "chess"), join(folder, "go")]
    for (const data of folders) {
      const server = serverOver(data)
      await laboratoryOf(server.request, "ada")
      await server.close()
    }
    const to = "s3://backups/live"
    const program = Effect.gen(function* () {
      const made = yield* Effect.forEach(folders, (data) => backUpInto({ data, to, keep: null }, settings), {
        concurrency: "unbounded"
      })
      const listed = yield* listBackups(to, settings)
      const restored = yield* Effect.forEach(made, ({ name }) =>
        restoreFrom({ from: `${to}/${name}`, data: join(folder, `restored-${name}`), force: false }, settings)
      )
      return { made: made.map(({ name }) => name), listed: listed.map(({ name }) => name), restored }
    })
    const { made, listed, restored } = await Effect.runPromise(
      program.pipe(Effect.withClock(atThree), Effect.withConfigProvider(key), Effect.provide(NodeContext.layer))
    )
    await s3.close()
    for (const name of made) assert.match(name, /^gamekeeper-2026-11-02T03-00-00-000Z-[\da-f]{12}$/)
    assert.lengthOf(new Set(made), 2)
    assert.deepStrictEqual([...listed].toSorted(), [...made].toSorted())
    assert.lengthOf(new Set(restored.map(({ manifest }) => manifest.installation)), 2)
  })
}, 120_000)
