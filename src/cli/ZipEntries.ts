import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Option, Stream } from "effect"
import { openPromise } from "yauzl"
import { type Source, type SourceUnusable, unusable } from "./ImportSource.ts"

/** What systems put into archives beside what people put there. */
const isOfSystem = (name: string): boolean => /(^|\/)(__MACOSX\/|\.)/.test(name)

/** The files in a zip, in its order, each read as it is needed. */
export const zipEntries = ({ name, path }: Pick<Source, "name" | "path">) => {
  const invalid = unusable(`${name} is not a valid zip`)
  return Stream.unwrapScoped(
    Effect.acquireRelease(
      Effect.tryPromise({ try: () => openPromise(path, { lazyEntries: true, autoClose: false }), catch: invalid }),
      (zip) => Effect.sync(() => zip.close())
    ).pipe(
      Effect.map((zip) =>
        Stream.fromAsyncIterable(zip.eachEntry(), invalid).pipe(
          Stream.filter(({ fileName }) => !fileName.endsWith("/") && !isOfSystem(fileName)),
          Stream.map((entry): Source => ({
            name: entry.fileName,
            path: "",
            size: Option.some(entry.compressedSize),
            kind: entry.fileName.endsWith(".gz") ? "gzip" : "text",
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
