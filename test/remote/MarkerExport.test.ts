import { assert, describe, it } from "@effect/vitest"
import { Console, Effect, Exit } from "effect"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { MemoryStores } from "../../src/app/Layers.ts"
import { type ExportAsked, exportMarkers } from "../../src/remote/MarkerExport.ts"
import { mintKey, mintPersonalToken, openStudio } from "../support/access/Studio.ts"
import { marker, minute, start } from "../support/analytics/SentMarkers.ts"
import { type Before, readJson, remoteOver } from "../support/configuration/RemoteFiles.ts"
import { withFolder } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

const day = 24 * 60 * minute

const linesIn = (folder: string, date: string): ReadonlyArray<{ readonly sequence: number }> =>
  readFileSync(join(folder, "markers", `day=${date}`, "markers.ndjson"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

describe("an export of markers into files", () => {
  const { request } = testApp(MemoryStores, { retentionDays: 36_500 })

  const prepared = async (name: string, before?: Before, through: typeof request = request) => {
    const studio = await openStudio(request, name)
    const key = await mintKey(request, studio, { type: "public" })
    const permissions = ["organization:read", "projects:read", "markers:read"]
    const { run, asked } = remoteOver(through, await mintPersonalToken(request, studio, { permissions }), before)
    const send = (...times: ReadonlyArray<number>) =>
      request("POST", "/sdk/v1/markers", {
        headers: { authorization: key, environment: "production" },
        body: { markers: times.map((at) => marker("Tick", at, { userId: "u" })) }
      })
    const exportInto = (folder: string, more: Partial<ExportAsked> = {}, told = () => Effect.void) =>
      exportMarkers(
        {
          target: asked(folder).target,
          folder,
          format: "ndjson",
          from: null,
          to: null,
          types: [],
          isFresh: false,
          ...more
        },
        told
      )
    return { run, send, exportInto }
  }

  it("writes a file for each day; one that is cut off goes on with its instant, the next fetches what has changed", () =>
    withFolder(async (folder) => {
      const { run, send, exportInto } = await prepared("cutter")
      await send(start, start + 1, start + 3 * day)
      const cut = await run(Effect.exit(exportInto(folder, {}, () => Effect.interrupt)))
      assert.isTrue(Exit.isInterrupted(cut))
      assert.deepStrictEqual(readdirSync(join(folder, "markers")), ["day=2026-03-02"])
      await send(start + 2, start + 3 * day + 1)
      assert.deepStrictEqual(await run(exportInto(folder)), { written: 1, kept: 1, asOf: 3 })
      assert.deepStrictEqual([linesIn(folder, "2026-03-02").length, linesIn(folder, "2026-03-05").length], [2, 1])
      await send(start + 5 * day)
      assert.deepStrictEqual(await run(exportInto(folder)), { written: 3, kept: 0, asOf: 6 })
      assert.deepStrictEqual(
        ["2026-03-02", "2026-03-05", "2026-03-07"].map((date) => linesIn(folder, date).map(({ sequence }) => sequence)),
        [[4, 2, 1], [5, 3], [6]]
      )
      assert.deepStrictEqual(await run(exportInto(folder)), { written: 0, kept: 3, asOf: 6 })
      assert.deepStrictEqual(await run(exportInto(folder, { isFresh: true, from: "2026-03-05", to: "2026-03-05" })), {
        written: 1,
        kept: 0,
        asOf: 6
      })
      assert.strictEqual(readJson(folder, "export.json").open, null)
    }))

  it("exports the days that are asked for, though a run of other days was cut off in the folder", () =>
    withFolder(async (folder) => {
      const { run, send, exportInto } = await prepared("chooser")
      await send(start, start + 3 * day, start + 5 * day)
      const first = { from: "2026-03-02", to: "2026-03-05" }
      await run(Effect.exit(exportInto(folder, first, () => Effect.interrupt)))
      const last = { from: "2026-03-07", to: "2026-03-07" }
      assert.deepStrictEqual(await run(exportInto(folder, last)), { written: 1, kept: 0, asOf: 3 })
      assert.deepStrictEqual(readdirSync(join(folder, "markers")), ["day=2026-03-02", "day=2026-03-07"])
      assert.deepStrictEqual(await run(exportInto(folder, first)), { written: 1, kept: 1, asOf: 3 })
    }))

  it("warns of a type that is not there, with the nearest, and leaves the folder for the right one", () =>
    withFolder(async (folder) => {
      const { run, send, exportInto } = await prepared("speller")
      await send(start)
      const lines: Array<string> = []
      const error = (line: unknown) => Effect.sync(() => void lines.push(String(line)))
      const console = Effect.runSync(Console.consoleWith(Effect.succeed))
      const exported = (types: ReadonlyArray<string>) =>
        run(Effect.withConsole(exportInto(folder, { types }), { ...console, error }))
      assert.deepInclude(await exported(["Tikc", "Level"]), { written: 0, kept: 0 })
      assert.deepStrictEqual(lines, [
        "Production has no markers of the type Tikc: did you mean Tick?",
        "Production has no markers of the type Level"
      ])
      assert.deepInclude(await exported(["Tick"]), { written: 1, kept: 0 })
      assert.lengthOf(lines, 2)
    }))

  it("asks again where a connection breaks, and leaves no half file", () =>
    withFolder(async (folder) => {
      let isBroken = true
      const { run, send, exportInto } = await prepared("broken", (_, path) => {
        if (!isBroken || !path.endsWith("/markers/export")) return Promise.resolve()
        isBroken = false
        return Promise.reject(new Error("cut"))
      })
      await send(start)
      assert.deepStrictEqual(await run(exportInto(folder)), { written: 1, kept: 0, asOf: 1 })
      assert.deepStrictEqual(readdirSync(join(folder, "markers", "day=2026-03-02")), ["markers.ndjson"])
    }))

  it("asks again where a proxy has nobody behind it for a moment, and says in words why a day is refused", () =>
    withFolder(async (folder) => {
      const page = {
        status: 502,
        text: "<html>502 Bad Gateway</html>",
        headers: new Headers({ "content-type": "text/html" })
      }
      const full = { code: "STORAGE_FULL", message: "The disk is full" }
      const answers = [
        { ...page, body: null },
        {
          status: 507,
          text: JSON.stringify(full),
          headers: new Headers({ "content-type": "application/json" }),
          body: full
        },
        { ...page, status: 403, body: null }
      ]
      const through: typeof request = async (method, path, options) =>
        (path.includes("/markers/export?") ? answers.shift() : undefined) ?? request(method, path, options)
      const { run, send, exportInto } = await prepared("proxied", undefined, through)
      await send(start)
      const refused = async () => (await run(Effect.flip(Effect.asVoid(exportInto(folder))))).message
      assert.strictEqual(await refused(), "2026-03-02: The disk is full (STORAGE_FULL)")
      assert.match(await refused(), /^http:\/\/test answers with the status 403, and not as Gamekeeper does/)
      assert.deepStrictEqual(await run(exportInto(folder)), { written: 1, kept: 0, asOf: 1 })
    }))

  it("goes on in the folder of a project that has another name by now, and not in that of another one of the same name", () =>
    withFolder(async (folder) => {
      const { run, send, exportInto } = await prepared("renamer")
      await send(start)
      await run(exportInto(folder))
      const manifest = join(folder, "export.json")
      const written = readFileSync(manifest, "utf8")
      writeFileSync(manifest, written.replace(/"environment": "/, '"environment": "Former '))
      assert.deepInclude(await run(exportInto(folder)), { written: 0, kept: 1 })
      assert.strictEqual(readFileSync(manifest, "utf8"), written)
      writeFileSync(manifest, written.replace(/"madeAt": "..../, '"madeAt": "1999'))
      assert.match(String(await run(Effect.flip(exportInto(folder)))), /is of another export/)
    }))

  it("says how it goes on in the folder that an older version made for a project that has another name by now", () =>
    withFolder(async (folder) => {
      const { run, send, exportInto } = await prepared("veteran")
      await send(start)
      await run(exportInto(folder))
      const manifest = join(folder, "export.json")
      const older = readFileSync(manifest, "utf8").replace(/"madeAt": ".*",/, "")
      writeFileSync(manifest, older.replace(/"environment": "/, '"environment": "Former '))
      const refused = String(await run(Effect.flip(exportInto(folder))))
      const name = /"environment": "(.*)"/.exec(older)?.[1] ?? ""
      assert.include(
        refused,
        `as that of Former ${name}: where ${name} had that name, put its present one into the file`
      )
      writeFileSync(manifest, older)
      assert.deepInclude(await run(exportInto(folder)), { written: 0, kept: 1 })
    }))

  it("refuses days that are none, a folder of another export, and one that no export wrote", () =>
    withFolder(async (folder) => {
      const { run, send, exportInto } = await prepared("refuser")
      await send(start)
      const refusalOf = async (more: Partial<ExportAsked>) => String(await run(Effect.flip(exportInto(folder, more))))
      for (const day of ["yesterday", "2026-02-30", "2026-09-31", "2026-13-01"])
        assert.match(
          await refusalOf({ from: day }),
          new RegExp(`--from must be a day such as 2026-03-31, and not ${day}$`)
        )
      assert.match(await refusalOf({ from: "2026-03-03", to: "2026-03-02" }), /TIME_RANGE_INVALID/)
      await run(exportInto(folder))
      assert.match(await refusalOf({ format: "csv" }), /is of another export/)
      // A name that was given again.
      const manifest = join(folder, "export.json")
      writeFileSync(manifest, readFileSync(manifest, "utf8").replace(/"environmentId": \d+/, '"environmentId": 999'))
      assert.match(await refusalOf({}), /is of another export \(.*, environment 999, ndjson\): choose another folder/)
      mkdirSync(join(folder, "other"))
      writeFileSync(join(folder, "other", "export.json"), "{}")
      assert.match(await refusalOf({ folder: join(folder, "other") }), /expected what an export wrote/)
    }))
})
