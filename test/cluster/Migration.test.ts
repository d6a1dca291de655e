import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import { cpSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import Database from "better-sqlite3"
import { PostgresMetadata } from "../../src/adapters/postgres/Postgres.ts"
import { sourceTables } from "../../src/adapters/sqlite/operations/SourceTables.ts"
import { copyDemo } from "../support/DemoFolder.ts"
import { withAddresses } from "../support/cluster/Addresses.ts"
import { byOperator } from "../support/cluster/Database.ts"
import { eventsOn } from "../support/cluster/EventStores.ts"
import { answersTo, membersIn, playMore, questions, recent } from "../support/cluster/MigratedFolder.ts"
import { EventStore } from "../../src/ports/analytics/EventStore.ts"
import { ExposureRepo } from "../../src/ports/experiments/ExposureRepo.ts"
import { ProjectRepo } from "../../src/ports/access/ProjectRepo.ts"
import { dataFiles, folderStores } from "../support/Folder.ts"
import { gamekeeper, startServer, withFolder } from "../support/Server.ts"
import { bringIn } from "./Migrations.ts"

const hashOf = (folder: string) =>
  dataFiles.map((file) =>
    createHash("sha256")
      .update(readFileSync(join(folder, file)))
      .digest("hex")
  )

const interruptions = 10

/** Ids of markers from before the window of duplicates are forgotten by each store in its own time. */
const withoutIds = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value: unknown) => (name === "markerId" ? null : value)))

describe("The command migrate --to", () => {
  it("brings a folder that is interrupted ten times into databases that answer the same", () =>
    withFolder((home) =>
      withAddresses(async (env, databases) => {
        const [data, copy] = [join(home, "data"), join(home, "copy")]
        await copyDemo(data)
        const environment = await Effect.runPromise(Effect.provide(playMore, folderStores(data)))
        cpSync(data, copy, { recursive: true })
        const before = hashOf(data)
        const bringing = { data, metadata: env["GAMEKEEPER_METADATA"]!, events: env["GAMEKEEPER_EVENTS"]! }

        let killed = 0
        const ends: Array<string> = []
        for (let attempt = 0; killed < interruptions && attempt < 3 * interruptions; attempt++) {
          const { ended, said } = await bringIn(bringing, 1 + Math.floor(Math.random() * 40))
          assert.notStrictEqual(ended, 1, said.join("\n"))
          if (ended === 0) break
          killed++
          ends.push(said.at(-1) ?? "")
          if (killed === 1) {
            const early = await gamekeeper(["serve", "--port", "0"], env).ended
            assert.strictEqual(early.code, 1)
            assert.include(early.err, "on its way into these databases")
            const halfway = await gamekeeper(["doctor"], env).ended
            assert.strictEqual(halfway.code, 1, halfway.out)
            assert.match(halfway.out, /BAD {2}A data folder is on its way into these databases/)
          }
        }
        assert.strictEqual(killed, interruptions, ends.join("\n"))

        const scratch = () => readdirSync(home).filter((name) => name.startsWith("gamekeeper-migration-"))
        // Each run has removed what the one before has left.
        assert.isAtMost(scratch().length, 1)
        const own = { ...env, TMPDIR: home }
        const done = await gamekeeper(["migrate", "--to", "--data", data], own).ended
        assert.strictEqual(done.code, 0, done.err)
        assert.match(done.out, /Brought and compared: \d+ rows of metadata and \d+ markers/)
        assert.include(done.out, "What to do next")
        assert.deepStrictEqual(hashOf(data), before)
        assert.deepStrictEqual(scratch(), [])

        const again = await gamekeeper(["migrate", "--to", "--data", data], env).ended
        assert.strictEqual(again.code, 0, again.err)
        assert.include(again.out, "was brought into these databases before")

        const asked = questions(200)
        const both = Effect.all([answersTo(environment, asked), membersIn(environment)])
        const [expected, members] = await Effect.runPromise(Effect.provide(both, folderStores(copy)))
        const [answers, arrived] = await Effect.runPromise(Effect.provide(both, eventsOn(databases, 7)))
        for (const [at, question] of asked.entries())
          assert.deepStrictEqual(withoutIds(answers[at]), withoutIds(expected[at]), JSON.stringify(question))
        assert.deepStrictEqual(arrived, members)

        const other = { ...recent, markerId: "00000000-0000-4000-8000-000000777777" }
        const duplicates = await Effect.runPromise(
          Effect.flatMap(EventStore, ({ append }) => append(environment, Date.now(), [recent, other])).pipe(
            Effect.provide(eventsOn(databases, 7))
          )
        )
        assert.deepStrictEqual(duplicates, [0])

        const doctor = await gamekeeper(["doctor", "--deep"], env).ended
        assert.strictEqual(doctor.code, 0, doctor.out)

        const metadata = PostgresMetadata({ url: Redacted.make(databases.postgres), connections: 4 })
        const next = await Effect.runPromise(
          Effect.flatMap(ProjectRepo, ({ everyEnvironment, insertEnvironment }) =>
            Effect.flatMap(everyEnvironment, ([known]) => insertEnvironment({ ...known!, name: "n", alias: "n" }))
          ).pipe(Effect.provide(metadata))
        )
        assert.isTrue(next._tag === "Some" && next.value.id > environment + 1)
        const left = Effect.flatMap(ExposureRepo, ({ unmarked }) => unmarked(2000, 10)).pipe(Effect.provide(metadata))
        assert.deepStrictEqual(
          (await Effect.runPromise(left)).map(({ distinctId, experimentId }) => [distinctId, Number(experimentId)]),
          [
            ["noted", 9001],
            ["noted", 9002]
          ]
        )
      })
    ))

  it("refuses a folder in use, one that is not there, and databases that are not empty", () =>
    withFolder((home) =>
      withAddresses(async (env) => {
        const data = join(home, "data")
        const bring = (folder: string, own = env) => gamekeeper(["migrate", "--to", "--data", folder], own).ended
        const missing = await bring(join(home, "none"))
        assert.strictEqual(missing.code, 1)
        assert.include(missing.err, "There is no data folder")

        const server = await startServer(data)
        const inUse = await bring(data)
        assert.strictEqual(inUse.code, 1)
        assert.include(inUse.err, "uses the data folder")
        await server.stop()

        const without = await bring(data, {})
        assert.strictEqual(without.code, 1)
        assert.include(without.err, "--to needs --metadata and --events")

        const admin = ["create-admin", "--email", "ada@example.com", "--name", "Ada"]
        const made = await gamekeeper(admin, { ...env, GAMEKEEPER_ADMIN_PASSWORD: "a long password 1" }).ended
        assert.strictEqual(made.code, 0, made.err + made.out)
        const filled = await bring(data)
        assert.strictEqual(filled.code, 1)
        assert.include(filled.err, "is not empty")
      })
    ))

  it("refuses a folder that has changed since it began, and one with a damaged row, which it names", () =>
    withFolder((home) =>
      withAddresses(async (env, { postgres }) => {
        const data = join(home, "data")
        const admin = ["create-admin", "--data", data, "--email", "ada@example.com"]
        const made = await gamekeeper(admin, { GAMEKEEPER_ADMIN_PASSWORD: "a long password 1" }).ended
        assert.strictEqual(made.code, 0, made.err)
        const bringing = { data, metadata: env["GAMEKEEPER_METADATA"]!, events: env["GAMEKEEPER_EVENTS"]! }
        const begun = await bringIn(bringing, 1)
        assert.strictEqual(begun.ended, "SIGKILL", begun.said.join("\n"))

        const metadata = new Database(join(data, "metadata.sqlite"))
        metadata.exec("update roles set name = 'Changed' where id = 1")
        const tables = sourceTables(metadata)
        metadata.close()
        const bring = () => gamekeeper(["migrate", "--to", "--data", data], env).ended
        const changed = await bring()
        assert.strictEqual(changed.code, 1)
        assert.include(changed.err, "has changed since its migration began")

        const operator = (statement: string) =>
          Effect.runPromise(byOperator(statement, new URL(postgres).pathname.slice(1)))
        await operator("delete from folder_migration")
        await operator("delete from folder_migration_step")
        await operator("truncate users, organizations cascade")
        const damaged = await bring()
        assert.strictEqual(damaged.code, 1)
        assert.include(damaged.err, "The row of roles (id 1) is not as it was written")

        const places = await operator(
          "select table_name || '.' || column_name as place from information_schema.columns where table_schema = 'public'"
        )
        const known = new Set(places.rows.map(({ place }: { place: string }) => place))
        const missing = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`))
        assert.deepStrictEqual(
          missing.filter((place) => !known.has(place)),
          []
        )
      })
    ))
})
