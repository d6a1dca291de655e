import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Option, Stream } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { csvRecords, ndjsonRecords } from "../../src/cli/ImportRecords.ts"
import { openSource } from "../../src/cli/ImportSource.ts"
import { refusedRecords } from "../../src/cli/RefusedRecords.ts"
import type { ExportOrigin } from "../../src/domain/ingest/exports/ExportMapping.ts"
import type { ImportRecord } from "../../src/services/ingest/Imports.ts"
import { recordsOf } from "../support/ingest/ExportRecords.ts"
import { withFolder } from "../support/Server.ts"

const id = "76561198000000001"

const own = (file: string) =>
  openSource(file, false).pipe(
    Effect.flatMap((source) => Stream.runCollect(ndjsonRecords(source, () => Effect.void))),
    Effect.map(Chunk.toReadonlyArray),
    Effect.provide(NodeContext.layer)
  )

const exported = (origin: ExportOrigin) => (file: string) => recordsOf(origin, file)

const player = { userId: id }

const lines: ReadonlyArray<
  readonly [
    name: string,
    read: (file: string) => Effect.Effect<ReadonlyArray<ImportRecord>, unknown>,
    line: string,
    marker: object
  ]
> = [
  [
    "ours",
    own,
    `{"eventName":"Win","distinctId":${id},"properties":{"friend": ${id}, "score":-1e20}}`,
    { distinctId: id, properties: { friend: id, score: -1e20 } }
  ],
  [
    "ours, dialect 3",
    own,
    `{"type":"Win","userId":${id},"sessionId":${id},"value":{"friend":${id}}}`,
    { ...player, sessionId: id, value: { friend: id } }
  ],
  [
    "PostHog",
    exported("posthog"),
    `{"event":"Win","distinct_id":${id},"properties":{"friends":[${id}, 7],"score":1}}`,
    { ...player, value: { friends: [id, 7], score: 1 } }
  ],
  [
    "properties as a text",
    exported("posthog"),
    `{"event":"Win","distinct_id":${id},"properties":"{\\"friend\\":${id}}"}`,
    { ...player, value: { friend: id } }
  ],
  [
    "Amplitude",
    exported("amplitude"),
    `{"event_type":"Win","user_id":${id},"event_properties":{"friend":${id}}}`,
    { ...player, value: { friend: id } }
  ],
  [
    "GameAnalytics",
    exported("gameanalytics"),
    `{"data":{"category":"design","user_id":${id},"custom_friend":${id}}}`,
    { ...player, value: { custom_friend: id } }
  ]
]

describe("numbers above 2^53 in what is imported", () => {
  it.each(lines)("%s: stay what they are, as texts", (_, read, line, marker) =>
    withFolder(async (folder) => {
      const file = join(folder, "events.jsonl")
      for (const text of [line, `[${line}]`]) {
        writeFileSync(file, `${text}\n`)
        const [record] = await Effect.runPromise(read(file))
        if (read !== own || text === line) assert.deepInclude(record?.markers[0], marker, text)
        // What is refused stands in its file as it stood.
        const rejected = join(folder, text === line ? "one" : "list")
        const write = await Effect.runPromise(
          Effect.provide(refusedRecords(Option.some(rejected), false), NodeContext.layer)
        )
        const refused =
          record === undefined ? [] : [{ ...record.read, code: "INVALID_TIMESTAMP", reason: "none" } as const]
        await Effect.runPromise(write(refused))
        const written = readFileSync(rejected, "utf8")
        assert.strictEqual(written.split(id).length, line.split(id).length, written)
        if (text === line) assert.include(written, `"content":${line}}\n`)
        assert.strictEqual(JSON.parse(written).code, "INVALID_TIMESTAMP")
      }
    })
  )

  it("stay numbers in a row of an export of ours, which had them as numbers", () =>
    withFolder(async (folder) => {
      const file = join(folder, "markers.ndjson")
      const row = {
        sequence: 1,
        type: "Win",
        unitId: id,
        timestamp: "2026-11-26T09:00:00.000Z",
        arguments: { score: 1e17 }
      }
      writeFileSync(file, JSON.stringify(row))
      const [record] = await Effect.runPromise(own(file))
      assert.deepInclude(record?.markers[0], { distinctId: id, value: { score: 1e17 } })
    }))

  it("are texts in the cells of a table too", () =>
    withFolder(async (folder) => {
      const file = join(folder, "wins.csv")
      writeFileSync(file, `player,friend,score\n${id},${id},12\n`)
      const score = { column: "score", as: "number" } as const
      const marker = {
        type: "Win",
        timestamp: "1",
        unitId: "{player}",
        arguments: { friend: { ...score, column: "friend" }, score },
        properties: {}
      }
      const source = await Effect.runPromise(Effect.provide(openSource(file, false), NodeContext.layer))
      const records = Stream.runCollect(csvRecords(source, { markers: [marker] }, 0, () => Effect.void))
      const [record] = await Effect.runPromise(Effect.provide(records, NodeContext.layer))
      assert.deepInclude(record?.markers[0], { userId: id, value: { friend: id, score: 12 } })
    }))
})
