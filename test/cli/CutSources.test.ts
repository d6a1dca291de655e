import { NodeContext } from "@effect/platform-node"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { csvRows, openSource } from "../../src/cli/ImportSource.ts"
import { linesOf } from "../../src/cli/SourceLines.ts"
import { withFolder } from "../support/Server.ts"

const linesIn = (file: string) =>
  openSource(file, false).pipe(
    Effect.flatMap((source) => Stream.runCollect(linesOf(source))),
    Effect.map((lines) => [...lines]),
    Effect.provide(NodeContext.layer)
  )

const refusal = (file: string) => Effect.runPromise(Effect.map(Effect.flip(linesIn(file)), ({ message }) => message))

const rowRefusal = (file: string) =>
  openSource(file, false).pipe(
    Effect.flatMap((source) => Stream.runCollect(csvRows(source))),
    Effect.flip,
    Effect.map(({ message }) => message),
    Effect.provide(NodeContext.layer),
    Effect.runPromise
  )

const binary =
  "is a binary file, and no text: it can be JSON lines or CSV, as they are or as gzip, Brotli or zip, or Parquet with --from"

describe("files that are no text, or not all of it", () => {
  it("that are packed and stop before their end are said to be cut off", () =>
    withFolder(async (folder) => {
      const lines = Array.from({ length: 500 }, (_, index) => JSON.stringify({ index, id: crypto.randomUUID() }))
      const text = lines.join("\n")
      for (const [name, packed, way] of [
        ["a.json.gz", gzipSync(text), "gzip"],
        ["a.json.br", brotliCompressSync(text), "Brotli"]
      ] as const) {
        writeFileSync(join(folder, name), packed.subarray(0, packed.length / 2))
        const said = `${name} is cut off: its ${way} stops before its end, so a part of the file is missing`
        assert.strictEqual(await refusal(join(folder, name)), said)
      }
    }))

  it("whose last line stops within are told, and their lines are read", () =>
    withFolder(async (folder) => {
      const file = join(folder, "events.jsonl")
      const said = vi.spyOn(console, "error").mockReturnValue()
      for (const whole of ['{"a":1}\n{"a":2}', '{"a":1}\n{"a":2}\n', "[1]\r\n", "", 'word\n{"a":\n', "word"]) {
        writeFileSync(file, whole)
        await Effect.runPromise(linesIn(file))
      }
      assert.lengthOf(said.mock.calls, 0)
      writeFileSync(file, '{"a":1}\n{"a":2,"b')
      assert.deepStrictEqual(await Effect.runPromise(linesIn(file)), ['{"a":1}', '{"a":2,"b'])
      assert.lengthOf(said.mock.calls, 1)
      assert.match(said.mock.calls.join(), /^events\.jsonl ends within its last line, so it may have been cut off/)
      said.mockRestore()
    }))

  it.each([
    ["UTF-16LE", Buffer.from('{"event":"Win"}\n', "utf16le"), "is UTF-16: save it as UTF-8"],
    ["UTF-16BE", Buffer.from('{"event":"Win"}\n', "utf16le").swap16(), "is UTF-16: save it as UTF-8"],
    ["a table in UTF-16LE", Buffer.from("player,level\nada,1\n", "utf16le"), "is UTF-16: save it as UTF-8"],
    ["a picture", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46]), binary],
    ["a database", Buffer.from("SQLite format 3\0and\n"), binary]
  ])("%s without a mark is told as what it is", (_, bytes, said) =>
    withFolder(async (folder) => {
      const file = join(folder, "events")
      for (const packed of [bytes, gzipSync(bytes)]) {
        writeFileSync(file, packed)
        assert.strictEqual(await refusal(file), `events ${said}`)
        assert.strictEqual(await rowRefusal(file), `events ${said}`)
      }
    })
  )
})
