import { FileSystem } from "@effect/platform"
import { Effect, Option } from "effect"
import type { RefusedRecord } from "../services/ingest/Imports.ts"
import { orThere } from "./ImportMapping.ts"

/** What was refused, with the numbers of its line as they stand there. */
const lineOf = (record: RefusedRecord): string => {
  const { written, content: _, ...rest } = record
  return written === undefined
    ? `${JSON.stringify(record)}\n`
    : `${JSON.stringify(rest).slice(0, -1)},"content":${written.trim()}}\n`
}

/**
 * Appends refused records to a file as JSON lines. The file must not be there before, unless the import goes on; one that has nothing may, as an
 * import leaves it that ended before it refused anything.
 */
export const refusedRecords = Effect.fnUntraced(function* (named: Option.Option<string>, goesOn: boolean) {
  if (Option.isNone(named)) return (_: ReadonlyArray<RefusedRecord>) => Effect.void
  const file = named.value
  const files = yield* FileSystem.FileSystem
  const write = (text: string, flag: "a" | "wx") => files.writeFileString(file, text, { flag })
  const isEmpty = Effect.map(files.stat(file), ({ type, size }) => type === "File" && size === FileSystem.Size(0))
  const mayBeThere = goesOn || (yield* Effect.orElseSucceed(isEmpty, () => false))
  yield* orThere(file, write("", mayBeThere ? "a" : "wx"))
  return (refused: ReadonlyArray<RefusedRecord>) =>
    refused.length === 0 ? Effect.void : write(refused.map(lineOf).join(""), "a")
})
