import { FileSystem, Path } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { createHash } from "node:crypto"
import { emptySummary, type ImportSummary } from "../domain/ingest/ImportSummary.ts"

const Note = Schema.parseJson(
  Schema.Struct({
    summary: Schema.Struct({
      records: Schema.Int,
      leftOut: Schema.Int,
      imported: Schema.Int,
      clamped: Schema.optionalWith(Schema.Int, { default: () => 0 }),
      duplicates: Schema.Int,
      stale: Schema.Int,
      rejected: Schema.Int,
      reasons: Schema.Record({ key: Schema.String, value: Schema.Int })
    }),
    store: Schema.Struct({ file: Schema.NullOr(Schema.String), highestSequence: Schema.Int })
  })
)

const decode = Schema.decodeOption(Note)
const encode = Schema.encodeSync(Note)

/** What takes the markers: its event file, and the highest sequence number that the environment has there. */
export interface ImportStore {
  readonly file: string | null
  readonly highestSequence: number
}

const nothing = {
  load: Effect.succeed({ summary: emptySummary, isStale: false }),
  save: (_: ImportSummary, __: ImportStore) => Effect.void,
  clear: Effect.void
}

/**
 * Where an import of these files stood when it was cut short; kept in the data folder until it is done. Other `rules` (the mapping, and limits that
 * refuse markers) may take what was refused before, so they have a note of their own. A note is stale where the `store` of
 * now lacks the markers that it counts on: it is another event file, or an earlier state of the same one, as after a restore.
 */
export const Resumption = Effect.fnUntraced(function* (
  data: string,
  named: ReadonlyArray<string>,
  environment: number,
  rules: string,
  store: ImportStore
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
  const identity = [...versions.flat(), environment, rules].join("\n")
  const folder = path.join(data, "imports")
  const note = path.join(folder, createHash("sha256").update(identity).digest("hex").slice(0, 32))
  const load = files.readFileString(note).pipe(
    Effect.map((text) => {
      const found = Option.getOrNull(decode(text))
      const isThere = found?.store.file === store.file && found.store.highestSequence <= store.highestSequence
      return { summary: isThere ? found.summary : emptySummary, isStale: !isThere }
    }),
    Effect.orElseSucceed(() => ({ summary: emptySummary, isStale: false }))
  )
  const save = (summary: ImportSummary, reached: ImportStore) =>
    files
      .makeDirectory(folder, { recursive: true })
      .pipe(
        Effect.zipRight(files.writeFileString(`${note}.new`, encode({ summary, store: reached }))),
        Effect.zipRight(files.rename(`${note}.new`, note))
      )
  return { load, save, clear: Effect.ignore(files.remove(note)) }
})
