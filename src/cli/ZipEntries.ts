import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Option, Stream } from "effect"
import { openPromise } from "yauzl"
import { packed } from "./ImportFiles.ts"
import { type ImportSource, SourceUnusable, unusable } from "./ImportSource.ts"

/** What systems put into archives beside what people put there. */
const isOfSystem = (name: string): boolean => /(^|\/)(__MACOSX\/|\.)/.test(name)

/** What is read from a file of its own alone, or not at all: within a zip it would be taken for text, and every line of it rejected. */
const isPacked = (name: string): boolean => packed.test(name) || /\.(parquet|zip)$/i.test(name)

/** Most names in a message. */
const mostNamed = 5

const listOf = (names: ReadonlyArray<string>): string => {
  const more = names.length - mostNamed
  return names.slice(0, mostNamed).join(", ") + (more > 0 ? ` and ${more} more` : "")
}

const demandText = (name: string, entries: ReadonlyArray<string>) => {
  const found = entries.filter(isPacked)
  const message = `${name} holds what cannot be read within a zip: ${listOf(found)}. Unpack it, and import the files`
  return found.length === 0 ? Effect.void : Effect.fail(new SourceUnusable({ message }))
}

const kindOf = (name: string): ImportSource["kind"] =>
  name.endsWith(".gz") ? "gzip" : name.endsWith(".br") ? "brotli" : "text"

/** The files in a zip, in its order, each read as it is needed. One that holds further archives or Parquet files is refused before. */
export const zipEntries = ({ name, path }: Pick<ImportSource, "name" | "path">) => {
  const invalid = unusable(`${name} is not a valid zip`)
  return Stream.unwrapScoped(
    Effect.acquireRelease(
      Effect.tryPromise({ try: () => openPromise(path, { lazyEntries: true, autoClose: false }), catch: invalid }),
      (zip) => Effect.sync(() => zip.close())
    ).pipe(
      Effect.bindTo("zip"),
      Effect.bind("entries", ({ zip }) =>
        Stream.fromAsyncIterable(zip.eachEntry(), invalid).pipe(
          Stream.filter(({ fileName }) => !fileName.endsWith("/") && !isOfSystem(fileName)),
          Stream.runCollect
        )
      ),
      Effect.tap(({ entries }) =>
        demandText(
          name,
          Array.from(entries, ({ fileName }) => fileName)
        )
      ),
      Effect.map(({ zip, entries }) =>
        Stream.fromChunk(entries).pipe(
          Stream.map((entry): ImportSource => ({
            name: entry.fileName,
            path: "",
            size: Option.some(entry.compressedSize),
            kind: kindOf(entry.fileName),
            bytes: Stream.unwrap(
              Effect.tryPromise({ try: () => zip.openReadStreamPromise(entry), catch: invalid }).pipe(
                Effect.map((bytes) => NodeStream.fromReadable<SourceUnusable, Uint8Array>(() => bytes, invalid))
              )
            )
          }))
        )
      )
    )
  )
}
