import { FileSystem, Path } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { createHash } from "node:crypto"
import type { ImportSummary } from "../services/ingest/Imports.ts"
import { emptySummary } from "../services/ingest/Imports.ts"

const Summary = Schema.parseJson(
  Schema.Struct({
    records: Schema.Int,
    leftOut: Schema.optionalWith(Schema.Int, { default: () => 0 }),
    imported: Schema.Int,
    duplicates: Schema.Int,
    stale: Schema.Int,
    rejected: Schema.Int,
    reasons: Schema.Record({ key: Schema.String, value: Schema.Int })
  })
)

const decode = Schema.decodeOption(Summary)
const encode = Schema.encodeSync(Summary)

const nothing = { load: Effect.succeed(emptySummary), save: (_: ImportSummary) => Effect.void, clear: Effect.void }

/** Where an import of these files stood when it was cut short; kept in the data folder until it is done. */
export const Resumption = Effect.fnUntraced(function* (
  data: string,
  named: ReadonlyArray<string>,
  environment: number,
  mapping: string
) {
  if (named.includes("-")) return nothing
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const versions = yield* Effect.forEach(named, (file) =>
    Effect.map(files.stat(file), ({ size, mtime }) => [
      path.resolve(file),
      size,
      Option.getOrUndefined(mtime)?.getTime()
    ])
  )
  const identity = [...versions.flat(), environment, mapping].join("\n")
  const folder = path.join(data, "imports")
  const note = path.join(folder, createHash("sha256").update(identity).digest("hex").slice(0, 32))
  const load = files.readFileString(note).pipe(
    Effect.map((text) => Option.getOrElse(decode(text), () => emptySummary)),
    Effect.orElseSucceed(() => emptySummary)
  )
  const save = (summary: ImportSummary) =>
    files
      .makeDirectory(folder, { recursive: true })
      .pipe(
        Effect.zipRight(files.writeFileString(`${note}.new`, encode(summary))),
        Effect.zipRight(files.rename(`${note}.new`, note))
      )
  return { load, save, clear: Effect.ignore(files.remove(note)) }
})
