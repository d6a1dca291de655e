import { FileSystem, Path } from "@effect/platform"
import { Console, Effect } from "effect"
import { cannotRead, SourceUnusable } from "./ImportSource.ts"

const readable = /\.(json|jsonl|ndjson|csv)(\.(gz|br))?$|\.(gz|br|parquet|zip)$/i

/** What is packed in ways that Node cannot unpack in every version that the server runs on. */
export const packed = /\.(zst|zstd|lz4|sz|snappy|bz2|xz|7z|rar|tar|tgz)$/i

/** What exporters and systems leave beside the data. */
const isBeside = (name: string): boolean => /(^|_)manifest\.json$/i.test(name) || name.startsWith(".")

const inFolder = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const cannot = yield* cannotRead(folder)
  const found: Array<string> = []
  const others: Array<string> = []
  for (const name of (yield* Effect.mapError(files.readDirectory(folder, { recursive: true }), cannot)).toSorted()) {
    const file = path.join(folder, name)
    if ((yield* Effect.mapError(files.stat(file), cannot)).type !== "File" || isBeside(path.basename(name))) continue
    ;(readable.test(name) || packed.test(name) ? found : others).push(file)
  }
  if (others.length > 0) yield* Console.error(`Passing over files that are no export: ${others.join(", ")}`)
  return found
})

/** The files that the arguments of a command name, with those of folders and of the folders in them, by their names. */
export const filesOf = Effect.fnUntraced(function* (named: ReadonlyArray<string>) {
  const files = yield* FileSystem.FileSystem
  const found: Array<string> = []
  for (const name of named) {
    const isFolder =
      name !== "-" && (yield* Effect.mapError(files.stat(name), yield* cannotRead(name))).type === "Directory"
    const all = isFolder ? yield* inFolder(name) : [name]
    if (all.length === 0)
      return yield* new SourceUnusable({ message: `${name} holds no JSON, CSV, Parquet, gz or zip` })
    found.push(...all)
  }
  const closed = found.filter((file) => packed.test(file))
  if (closed.length > 0) {
    return yield* new SourceUnusable({ message: `These have to be unpacked first: ${closed.join(", ")}` })
  }
  return found
})
