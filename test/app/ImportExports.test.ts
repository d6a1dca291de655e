import { NodeContext } from "@effect/platform-node"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { filesOf } from "../../src/cli/ImportFiles.ts"
import { fixture, recordsOf } from "../support/ingest/ExportRecords.ts"
import { storedZip } from "../support/StoredZip.ts"
import { gamekeeper, settle, withFolder } from "../support/Server.ts"

const ids = (records: Effect.Effect.Success<ReturnType<typeof recordsOf>>) => records.map(({ name }) => name)

describe("imports of exports", () => {
  it("a batch export of PostHog says the same as JSON lines, gzip, Brotli and Parquet", () =>
    withFolder(async (folder) => {
      const lines = (await Effect.runPromise(recordsOf("posthog", fixture("posthog.jsonl")))).slice(0, 3)
      const rows = await Effect.runPromise(recordsOf("posthog", fixture("posthog.parquet")))
      const inMilliseconds = (markers: ReadonlyArray<unknown>) =>
        JSON.stringify(markers).replaceAll(/(\.\d{3})\d*(Z|\+00:00)"/g, '$1Z"')
      assert.deepStrictEqual(
        rows.map(({ name, markers }) => [name, inMilliseconds(markers)]),
        lines.map(({ name, markers }) => [name, inMilliseconds(markers)])
      )
      const text = readFileSync(fixture("posthog.jsonl"))
      writeFileSync(join(folder, "a.jsonl.gz"), gzipSync(text))
      writeFileSync(join(folder, "a.jsonl.br"), brotliCompressSync(text))
      for (const name of ["a.jsonl.gz", "a.jsonl.br"]) {
        const records = await Effect.runPromise(recordsOf("posthog", join(folder, name)))
        assert.deepStrictEqual(ids(records).slice(0, 3), ids(lines), name)
      }
    }))

  it.effect("both CSV forms of PostHog hold the events of the batch export, with numbers and truth values", () =>
    Effect.gen(function* () {
      const [query, page] = [
        yield* recordsOf("posthog", fixture("posthog.csv")),
        yield* recordsOf("posthog", fixture("posthog-events-page.csv"))
      ]
      assert.deepStrictEqual(ids(query), ids(page))
      assert.deepInclude(query[0]?.markers[0], { value: { level: 12, seconds: 81.5 }, userId: "player-1" })
      assert.deepInclude(page[0]?.markers[0], { value: { level: 12, won: true, note: "007" }, userId: "player-1" })
      assert.deepInclude(page[1]?.markers[0], { value: {}, sessionId: undefined, properties: {} })
    })
  )

  it.effect("the zip of Amplitude's Export API holds the events of the files in it", () =>
    Effect.gen(function* () {
      const packed = yield* recordsOf("amplitude", fixture("amplitude.zip"))
      const plain = yield* recordsOf("amplitude", fixture("amplitude.json"))
      assert.deepStrictEqual(
        packed.map(({ name, markers }) => [name, markers]),
        plain.map(({ name, markers }) => [name, markers])
      )
      assert.strictEqual(packed[0]?.read.file, "187520/187520_2026-11-20_10#0.json.gz")
    })
  )

  it("broken files and files that would have to be unpacked are named", () =>
    withFolder(async (folder) => {
      const write = (name: string, bytes: Uint8Array | string) => {
        writeFileSync(join(folder, name), bytes)
        return join(folder, name)
      }
      const failure = (effect: Effect.Effect<unknown, { readonly message: string }, NodeContext.NodeContext>) =>
        Effect.runPromise(Effect.map(Effect.flip(Effect.provide(effect, NodeContext.layer)), ({ message }) => message))
      const cut = (name: string) => readFileSync(fixture(name)).subarray(0, 300)
      const zip = write("cut.zip", cut("amplitude.zip"))
      assert.strictEqual(await failure(recordsOf("amplitude", zip)), "cut.zip is not a valid zip")
      const parquet = write("cut.parquet", cut("posthog.parquet"))
      assert.strictEqual(await failure(recordsOf("posthog", parquet)), "cut.parquet is not a valid Parquet file")
      const gz = write("cut.json.gz", gzipSync(readFileSync(fixture("posthog.jsonl"))).subarray(0, 200))
      assert.strictEqual(
        await failure(recordsOf("posthog", gz)),
        "cut.json.gz is cut off: its gzip stops before its end, so a part of the file is missing"
      )
      const bad = write("bad.json.gz", Buffer.concat([gzipSync("x").subarray(0, 10), Buffer.alloc(40, 0xff)]))
      assert.strictEqual(await failure(recordsOf("posthog", bad)), "bad.json.gz is not valid gzip")
      const zst = write("events.jsonl.zst", "x")
      assert.strictEqual(await failure(filesOf([gz, zst])), `These have to be unpacked first: ${zst}`)
      assert.strictEqual(
        await failure(filesOf([join(folder, "none")])),
        `Cannot read ${join(folder, "none")}: there is none of that name (ENOENT)`
      )
      mkdirSync(join(folder, "empty"))
      assert.match(await failure(filesOf([join(folder, "empty")])), /holds no JSON, CSV, Parquet, gz or zip/)
    }))

  it("a zip that holds Parquet or archives is refused before anything is read of it, and one of Brotli is read", () =>
    withFolder(async (folder) => {
      const text = readFileSync(fixture("posthog.jsonl"))
      const write = (name: string, files: Readonly<Record<string, Uint8Array>>) => {
        writeFileSync(join(folder, name), storedZip(files))
        return join(folder, name)
      }
      const lines = { "2026/events.jsonl": text, "2026/events.jsonl.br": brotliCompressSync(text) }
      const once = await Effect.runPromise(recordsOf("posthog", fixture("posthog.jsonl")))
      const read = await Effect.runPromise(recordsOf("posthog", write("lines.zip", lines)))
      assert.deepStrictEqual(ids(read), [...ids(once), ...ids(once)])
      const mixed = write("mixed.zip", {
        ...lines,
        "a.parquet": readFileSync(fixture("posthog.parquet")),
        "b/c.zip": readFileSync(fixture("amplitude.zip")),
        "d.tar": text,
        "e.jsonl.zst": text,
        "f.7z": text,
        "g.rar": text
      })
      const refusal = await Effect.runPromise(Effect.flip(recordsOf("posthog", mixed)))
      assert.strictEqual(
        refusal.message,
        "mixed.zip holds what cannot be read within a zip: a.parquet, b/c.zip, d.tar, e.jsonl.zst, f.7z and 1 more. Unpack it, and import the files"
      )
    }))

  it("a folder stands for the exports in it and in its folders, by their names", () =>
    withFolder(async (folder) => {
      mkdirSync(join(folder, "2026-11-20"))
      for (const name of ["b.jsonl", "a.csv", "2026-11-20/c.json.gz", "manifest.json", ".hidden.json", "notes.txt"])
        writeFileSync(join(folder, name), "")
      const found = await Effect.runPromise(Effect.provide(filesOf([folder]), NodeContext.layer))
      assert.deepStrictEqual(
        found.map((file) => file.slice(folder.length + 1)),
        ["2026-11-20/c.json.gz", "a.csv", "b.jsonl"]
      )
    }))

  it("the built command imports a folder once, tells what it refused, and names all that is missing", () =>
    withFolder(async (folder) => {
      const exported = join(folder, "export")
      mkdirSync(exported)
      for (const name of ["posthog.jsonl", "posthog.parquet"]) copyFileSync(fixture(name), join(exported, name))
      const run = (...args: ReadonlyArray<string>) => {
        const common = ["--environment", "1", "--retention-days", "36500", "--data", join(folder, "data")]
        return gamekeeper(["import", ...common, ...args]).ended
      }
      const rejected = join(folder, "rejected.ndjson")
      await settle(join(folder, "data"))
      const first = await run("--from", "posthog", "--rejected", rejected, exported)
      assert.deepStrictEqual(first.out.trim().split("\n"), [
        "8 records: 2 markers imported, 2 duplicates, 0 stale, 2 rejected",
        "  INVALID_TIMESTAMP: 1",
        "  NOT_AN_OBJECT: 1",
        "2 records left out by the mapping",
        "2 of them say that two ids are one player, and each id was imported as a player:",
        "--find-players FILE writes which they are, and --players FILE imports them as one (docs/import.md)"
      ])
      const refused = readFileSync(rejected, "utf8").trim().split("\n")
      assert.deepInclude(JSON.parse(refused[0] ?? ""), { file: "posthog.jsonl", record: 4, code: "INVALID_TIMESTAMP" })
      assert.strictEqual(JSON.parse(refused[0] ?? "").content.uuid, "0193a5b2-7c1e-7a3b-9d4f-1f2e3d4c5b6d")
      assert.match(
        (await run("--from", "posthog", "--rejected", rejected, exported)).err,
        / is there already: name a file/
      )
      const again = await run("--from", "posthog", exported)
      assert.match(again.out, /8 records: 0 markers imported, 4 duplicates/)
      const zip = await run("--from", "amplitude", fixture("amplitude.zip"))
      assert.match(zip.out, /3 records: 2 markers imported/)
      const games = await run("--from", "gameanalytics", fixture("gameanalytics.jsonl"), fixture("gameanalytics.jsonl"))
      assert.match(games.out, /12 records: 6 markers imported, 6 duplicates/)
      assert.match(
        (await run(fixture("posthog.parquet"))).err,
        /posthog.parquet is a parquet file: say by --from .*; one of Gamekeeper is taken back as NDJSON/
      )
      const mapping = join(folder, "mapping.json")
      writeFileSync(
        mapping,
        JSON.stringify({ player: [], arguments: { kept: [] }, types: { level_completed: "Level" } })
      )
      const wrong = await run("--from", "posthog", "--mapping", mapping, exported)
      assert.match(wrong.err, /player: is unexpected.*arguments\.kept: is unexpected/)
      writeFileSync(mapping, JSON.stringify({ types: { level_completed: "Level" } }))
      const printed = await gamekeeper(["import", "--from", "posthog", "--mapping", mapping, "--print-mapping"]).ended
      assert.deepInclude(JSON.parse(printed.out).types, { $identify: null, level_completed: "Level" })
      assert.match((await gamekeeper(["import"]).ended).err, /needs a file and --environment/)
    }))

  it("lists and pages of events are read as their events, and JSON over several lines is refused before anything is", () =>
    withFolder(async (folder) => {
      const write = (name: string, text: string) => {
        writeFileSync(join(folder, name), text)
        return join(folder, name)
      }
      const lines = readFileSync(fixture("posthog.jsonl"), "utf8").split("\n").slice(0, 3)
      const once = await Effect.runPromise(recordsOf("posthog", write("lines.jsonl", lines.join("\n"))))
      for (const text of [`[${lines.join(",")}]`, `{"next":null,"results":[${lines.join(",")}]}\n{"results":[]}`]) {
        const read = await Effect.runPromise(recordsOf("posthog", write("lines.jsonl", text)))
        assert.deepStrictEqual(read, once)
      }
      const pretty = write("pretty.json", JSON.stringify([{ event: "level_completed" }], null, 2))
      const refusal = await Effect.runPromise(Effect.flip(recordsOf("posthog", pretty)))
      assert.match(refusal.message, /^pretty\.json is JSON over several lines.*jq -c \. writes it so$/)
    }))

  it("the built command finds the ids of one player, imports them as one, and says what it means to import without", () =>
    withFolder(async (folder) => {
      const [data, players, staging] = ["data", "players.csv", "staging.csv"].map((name) => join(folder, name))
      const event = (uuid: number, type: string, player: string, properties: object) =>
        JSON.stringify({
          uuid: `0193a5b2-7c1e-7a3b-9d4f-1f2e3d4c5b${uuid}`,
          event: type,
          distinct_id: player,
          timestamp: `2026-11-20T10:00:${uuid}Z`,
          properties
        })
      const device = 'device "1", the first'
      const exported = join(folder, "export.jsonl")
      writeFileSync(
        exported,
        [
          event(10, "level", device, {}),
          event(11, "$identify", "ada", { $anon_distinct_id: device }),
          event(12, "level", "ada", {})
        ].join("\n")
      )
      const run = (...args: ReadonlyArray<string>) => gamekeeper(["import", "--from", "posthog", ...args]).ended
      // One that is killed while it reads leaves nothing that the next one takes for what somebody else has made.
      const killed = gamekeeper(["import", "--from", "posthog", "--find-players", players ?? "", "-"])
      await vi.waitFor(() => assert.include(readdirSync(folder).join(), "players.csv"), 60_000)
      killed.process.kill("SIGKILL")
      await killed.ended
      const found = await run("--find-players", players ?? "", exported)
      assert.strictEqual(found.out.trim(), `1 id of 1 player: ${players}`)
      assert.strictEqual(readFileSync(players ?? "", "utf8"), 'from,to\n"device ""1"", the first",ada\n')
      assert.notInclude(readdirSync(folder), "players.csv.part")
      assert.match((await run("--find-players", players ?? "", exported)).err, / is there already: name a file/)
      await settle(data ?? "")
      const into = (environment: string) => [
        "--environment",
        environment,
        "--retention-days",
        "36500",
        "--data",
        data ?? ""
      ]
      const apart = await run(...into("1"), exported)
      assert.match(apart.out, /2 markers imported[^]*1 of them say that two ids are one player/)
      const joined = await run(...into("2"), "--players", players ?? "", exported)
      assert.match(joined.out, /2 markers imported/)
      assert.notInclude(joined.out, "two ids")
      writeFileSync(staging ?? "", "id,player\n")
      const other = await run(...into("2"), "--players", staging ?? "", exported)
      assert.match(other.err, /staging\.csv has no column from, to/)
      writeFileSync(staging ?? "", "from,to\na,ada\nb\n")
      assert.match((await run(...into("2"), "--players", staging ?? "", exported)).err, /row 2 has not one id in from/)
      const plain = await gamekeeper(["import", ...into("2"), "--players", players ?? "", exported]).ended
      assert.match(plain.err, /--players needs --from/)
    }))
})
