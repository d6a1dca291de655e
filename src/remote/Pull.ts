import { FileSystem, Path } from "@effect/platform"
import { Effect } from "effect"
import { editorSchemas } from "./EditorSchemas.ts"
import { fileText, readFiles } from "./Files.ts"
import { identified } from "./Identified.ts"
import { fieldsWithNames } from "./Naming.ts"
import { type ComparisonRequest, readServer } from "./ServerState.ts"

const schemaFolder = ".schemas"

const slug = (name: string) =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80) || "unnamed"

/** What Windows keeps for devices, also with an ending. */
const devices = /^(aux|con|nul|prn|(com|lpt)[1-9])$/

/**
 * A name that no file of the folder has yet, and that each system can write: macOS and Windows take names that differ in case for one. `taken`
 * are names in lower case.
 */
const freeFile = (kind: string, name: string, taken: ReadonlySet<string>): string => {
  const word = slug(name)
  const base = `${kind}/${devices.test(word) ? `${word}-` : word}`
  let file = `${base}.json`
  for (let number = 2; taken.has(file); number++) file = `${base}-${number}.json`
  return file
}

/**
 * Writes what the server has into files. An object that has a file keeps it; files of what the server does not have stay, unless they
 * are pruned. Says which files were written, which were as they should be, which are of nothing at the server, which could not be read, whose
 * object gets another file, and which are a second one of their object.
 */
export const pull = Effect.fnUntraced(function* (asked: ComparisonRequest) {
  const system = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { folder, kinds, prune } = asked
  const { objects, naming } = yield* readServer(asked)
  const { files: read, problems: unread } = yield* readFiles(folder, kinds)
  const known = identified(read, objects)
  const problems = [...unread, ...known.repeated]
  const repeated = new Set(known.repeated.map(({ file }) => file))
  // Of two files of one object only the first is written, and the other may hold what somebody has just changed: it is not pruned.
  const files = known.files.filter(({ file }) => !repeated.has(file))
  const fileByKey = new Map(files.map(({ kind, key, file }) => [`${kind} ${key}`, file]))
  const taken = new Set([...files, ...problems].map(({ file }) => file.toLowerCase()))

  /** A file is there as a whole or as it was: half of one, as a full disk leaves it, would be no JSON, and its object would get another. */
  const write = Effect.fnUntraced(function* (file: string, text: string) {
    const place = path.join(folder, file)
    const part = `${place}.part`
    const before = (yield* system.exists(place)) ? yield* system.readFileString(place) : undefined
    if (before === text) return false
    yield* system.makeDirectory(path.dirname(place), { recursive: true })
    const mode = before === undefined ? undefined : (yield* system.stat(place)).mode & 0o777
    yield* system.writeFileString(part, text).pipe(
      Effect.zipRight(mode === undefined ? Effect.void : system.chmod(part, mode)),
      Effect.zipRight(system.rename(part, place)),
      Effect.onError(() => Effect.ignore(system.remove(part)))
    )
    return true
  })

  const written: Array<string> = []
  const kept = new Set<string>()
  for (const { kind, key, existing } of objects) {
    const file = fileByKey.get(`${kind} ${key}`) ?? freeFile(kind, existing.name, taken)
    taken.add(file.toLowerCase())
    kept.add(file)
    const id = key === existing.name ? {} : { id: existing.id }
    const $schema = `../${schemaFolder}/${kind}.schema.json`
    const fields = { $schema, ...id, ...fieldsWithNames(kind, existing.fields, naming) }
    if (yield* write(file, fileText(fields))) written.push(file)
  }
  const schemas = editorSchemas()
  for (const kind of kinds) yield* write(`${schemaFolder}/${kind}.schema.json`, fileText(schemas[kind]))
  const strangers = files.map(({ file }) => file).filter((file) => !kept.has(file))
  if (prune) yield* Effect.forEach(strangers, (file) => system.remove(path.join(folder, file)), { discard: true })
  return { written, unchanged: objects.length - written.length, strangers, problems }
})
