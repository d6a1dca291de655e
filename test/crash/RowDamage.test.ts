import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { checkRows } from "../../src/adapters/sqlite/operations/RowCheck.ts"
import * as summed from "../../src/adapters/sql/sums/SummedTables.ts"
import {
  answersOf,
  buildWorld,
  copyFolder,
  type DamageWorld,
  type Heard,
  serverOver
} from "../support/operations/DamageWorld.ts"
import { runCount } from "../support/Runs.ts"
import { seeded } from "../support/Seeded.ts"
import { withFolder } from "../support/Server.ts"

const count = Number(process.env["GAMEKEEPER_DAMAGES"] ?? runCount(16))
const seed = Number(process.env["GAMEKEEPER_TEST_SEED"] ?? 1)

const tables = Object.values(summed).map(({ name }) => name)

/** What rests on rows with checksums alone. */
const isChosen = (name: string): boolean =>
  ["configuration", "bootstrap", "assignments"].includes(name) || /^evaluation of player .$/.test(name)

/** Where the rows of these tables lie in the file: the first byte and the number of bytes of each page. */
const pagesOf = (file: string) => {
  const database = new Database(file)
  const pages = database
    .prepare<[string], { pgoffset: number; pgsize: number }>(
      `select pgoffset, pgsize from dbstat where name in (select value from json_each(?)) and pagetype <> 'internal'`
    )
    .all(JSON.stringify(tables))
  database.close()
  return pages
}

const flipBit = (file: string, at: number, bit: number) => {
  const descriptor = openSync(file, "r+")
  const byte = new Uint8Array(1)
  readSync(descriptor, byte, 0, 1, at)
  writeSync(
    descriptor,
    byte.map((value) => value ^ (1 << bit)),
    0,
    1,
    at
  )
  closeSync(descriptor)
}

const findings = (file: string) => Effect.runPromise(checkRows(file, true))

/** A copy of the closed folder whose pages have no checksums, as those of a file have that is damaged while the server runs. */
const copyOf = (world: DamageWorld, folder: string) => {
  const copy = join(folder, "copy")
  copyFolder(world.closed, copy)
  rmSync(join(copy, "metadata.sqlite-sums"))
  return { copy, file: join(copy, "metadata.sqlite") }
}

describe("I5: rows that decide what games get and who may do what", () => {
  it(
    "are refused, said once and listed by the doctor where they are not as they were written",
    { timeout: 300_000 },
    () =>
      withFolder(async (folder) => {
        const world = await buildWorld(folder)
        const { copy, file } = copyOf(world, folder)
        assert.deepStrictEqual(
          (await findings(file)).map(({ isGood }) => isGood),
          [true]
        )
        const { request, close, errors } = serverOver(copy)
        const asked = () => answersOf(world, "closed", request, isChosen)
        const sound = await asked()
        assert.isTrue(Object.values(sound).every(({ isTold }) => !isTold))
        const other = new Database(file)
        const sdk = (path: string) =>
          request("GET", `/sdk/${path}`, {
            headers: { authorization: world.game.publicKey, environment: "development" }
          })

        other.exec("update configuration_versions set document = replace(document, '1', '2')")
        other.exec("update configurations set document = document || ' '")
        const configuration = await request(
          "GET",
          `/application/${world.studio.applicationId}/v2/configuration/${world.configuration.id}`,
          {
            headers: { ...world.studio.cookie, environment_id: String(world.studio.development) }
          }
        )
        assert.deepStrictEqual([configuration.status, configuration.body.code], [503, "DATA_DAMAGED"])
        await sdk("v2/bootstrap")
        assert.strictEqual(errors.filter((error) => error.includes("row configurations id")).length, 1)

        other.exec("update credentials set permissions = '[]'")
        const key = await request("GET", `/organization/${world.studio.organizationId}/api-keys`, {
          headers: world.studio.cookie
        })
        assert.include([404, 503], key.status)
        other.exec("update assignments set group_id = group_id + 1, automatic_group_id = automatic_group_id + 1")
        const listed = await request("GET", `${world.path}/assignments`, {
          headers: { ...world.studio.cookie, environment_id: String(world.studio.development) }
        })
        assert.deepStrictEqual([listed.status, listed.body.code], [503, "DATA_DAMAGED"])
        const ready = await request("GET", "/ready")
        assert.deepInclude(
          ready.body.problems.map(({ code, store, severity }: Record<string, string>) => ({ code, store, severity })),
          { code: "STORE_DAMAGED", store: "metadata", severity: "degraded" }
        )
        other.close()
        await close()
        const bad = (await findings(file)).map(({ text }) => text).join("\n")
        for (const table of ["configurations", "configuration_versions", "credentials", "assignments"])
          assert.match(bad, new RegExp(`rows of ${table} \\(`))
      })
  )

  it("say nothing else after a bit of them has changed", { timeout: 120_000 + count * 20_000 }, () =>
    withFolder(async (folder) => {
      const world = await buildWorld(folder)
      const { copy } = copyOf(world, folder)
      const asked = async (): Promise<Readonly<Record<string, Heard>>> => {
        const { request, close } = serverOver(copy)
        return answersOf(world, "closed", request, isChosen).finally(close)
      }
      const sound = await asked()
      const random = seeded(seed)
      const within = (most: number) => Math.floor(random() * most)
      const tally: Record<string, number> = {}
      const wrong: Array<string> = []
      for (let turn = 0; turn < count; turn++) {
        const { file } = copyOf(world, folder)
        const pages = pagesOf(file)
        const { pgoffset, pgsize } = pages[within(pages.length)]!
        const [at, bit] = [pgoffset + within(pgsize), within(8)]
        flipBit(file, at, bit)
        let outcome = "refused"
        try {
          const heard = await asked()
          const different = Object.entries(sound).filter(([name, { essence }]) => heard[name]?.essence !== essence)
          outcome = different.length === 0 ? "same" : "told"
          for (const [name, { essence }] of different) {
            const now = heard[name]
            if (now?.isTold === true) continue
            // A checksum cannot tell what is not found at all; the checksums of pages tell it at the next start.
            outcome = (now?.essence ?? "").startsWith("4") ? "absent" : "wrong"
            if (outcome === "wrong")
              wrong.push(`byte ${at} bit ${bit}: ${name}\n${essence.slice(0, 300)}\n${now?.essence.slice(0, 300)}`)
          }
        } catch (cause) {
          assert.instanceOf(cause, Error)
        }
        tally[outcome] = (tally[outcome] ?? 0) + 1
      }
      process.stdout.write(`${JSON.stringify(tally)}\n`)
      assert.deepStrictEqual(wrong, [])
    })
  )
})
