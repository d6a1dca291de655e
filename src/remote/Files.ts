import { FileSystem, Path } from "@effect/platform"
import { Either, Effect, ParseResult, Schema } from "effect"
import { JsonObject } from "../../schema/Json.ts"
import type { Document, Json } from "../domain/configuration/Document.ts"
import { isObject } from "../domain/configuration/Document.ts"
import { pathText } from "../domain/configuration/PathText.ts"
import { unkeepable } from "../domain/configuration/Unkeepable.ts"
import { jsonFaultOf } from "../domain/JsonFault.ts"
import type { ManagedKind } from "./ManagedKind.ts"
import { readers, withoutEmpty } from "./FileSchemas.ts"
import { fieldsWithIds, fieldsWithNames, type Naming, referencesOf } from "./Naming.ts"
import { refusal } from "./Refused.ts"

/** A file as it was found; the fields still hold names. */
export interface ObjectFile {
  readonly kind: ManagedKind
  readonly file: string
  /** The id of the object, where the file says one. */
  readonly id: string | null
  /** The name of the object, or its id where the file says one. */
  readonly key: string
  readonly fields: Document
}

export interface FileProblem {
  readonly file: string
  readonly message: string
}

const parse = Schema.decodeUnknownEither(Schema.parseJson(JsonObject))

const parseFields = Schema.decodeUnknownEither(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

/** Why a text is no JSON object that can be kept. */
const faultOf = (text: string): string => {
  const fault = jsonFaultOf(text)
  if (fault !== null) return `no JSON: line ${fault.line}, column ${fault.column}: expected ${fault.expected}`
  return Either.isRight(parseFields(text))
    ? "it has a number that is too large: expected at most 1.7976931348623157e308"
    : "expected a JSON object"
}

const fileOf = (kind: ManagedKind, file: string, text: string): Either.Either<ObjectFile, FileProblem> =>
  Either.match(parse(text), {
    onLeft: () => Either.left({ file, message: faultOf(text) }),
    onRight: ({ $schema: _, id, ...fields }) => {
      const { name } = fields
      if (typeof name !== "string" || name === "")
        return Either.left({ file, message: "name: expected the name of the object" })
      const own = typeof id === "string" || typeof id === "number" ? String(id) : null
      return Either.right({ kind, file, id: own, key: own ?? name, fields })
    }
  })

/** Refuses a folder that is not there: without files, everything at the server would be one too many. */
export const demandFolder = Effect.fnUntraced(function* (folder: string) {
  const system = yield* FileSystem.FileSystem
  if (!(yield* system.exists(folder))) return yield* refusal(`There is no folder ${folder}`)
})

/** The files of these kinds below the folder, and what is wrong with those that cannot be read. */
export const readFiles = Effect.fnUntraced(function* (folder: string, kinds: ReadonlyArray<ManagedKind>) {
  const system = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const read = Effect.fnUntraced(function* (kind: ManagedKind) {
    const home = path.join(folder, kind)
    if (!(yield* system.exists(home))) return []
    const names = (yield* system.readDirectory(home)).filter((name) => name.endsWith(".json")).sort()
    return yield* Effect.forEach(names, (name) =>
      Effect.map(system.readFileString(path.join(home, name)), (text) => fileOf(kind, `${kind}/${name}`, text))
    )
  })
  const all = (yield* Effect.forEach(kinds, read)).flat()
  const files = all.filter(Either.isRight).map(({ right }) => right)
  const problems = all.filter(Either.isLeft).map(({ left }) => left)
  return { files, problems }
})

/** Ids that stand for objects which are still to be made, so that what refers to them can be checked. */
const placeholder = (kind: ManagedKind, index: number): string | number =>
  kind === "queries"
    ? `00000000-0000-4000-8000-${index.toString(16).padStart(12, "0")}`
    : Number.MAX_SAFE_INTEGER - index

/** Gives every file whose object the server does not have a name that others can refer to. */
export const expectFiles = (naming: Naming, files: ReadonlyArray<ObjectFile>): void => {
  for (const [index, { kind, key }] of files.entries()) {
    if (kind !== "boards" && kind !== "roles" && !naming.has(kind, key)) naming.set(kind, key, placeholder(kind, index))
  }
}

const textAt = (path: ReadonlyArray<PropertyKey>) => pathText("", path.map(String)).replace(/^\./, "")

const checked = (each: ObjectFile, naming: Naming): Either.Either<ObjectFile, ReadonlyArray<FileProblem>> => {
  const { kind, file, fields } = each
  const unkept = unkeepable(fields)
  if (unkept.length > 0)
    return Either.left(unkept.map(({ path, message }) => ({ file, message: `${textAt(path)}: ${message}` })))
  const missing = referencesOf(kind, fields)
    .filter((reference) => !naming.has(reference.kind, reference.name))
    .map((reference) => ({ file, message: `no one of the ${reference.kind} is called ${reference.name}` }))
  const read = readers[kind](fieldsWithIds(kind, fields, naming))
  if (Either.isRight(read) && missing.length === 0) {
    const whole = fieldsWithNames(kind, withoutEmpty(kind, read.right), naming)
    return Either.right({ ...each, fields: whole })
  }
  if (missing.length > 0 || Either.isRight(read)) return Either.left(missing)
  const issues = ParseResult.ArrayFormatter.formatErrorSync(read.left)
  return Either.left(issues.map(({ path, message }) => ({ file, message: `${textAt(path)}: ${message}` })))
}

const single = (files: ReadonlyArray<ObjectFile>, kind: ManagedKind, field: string): ReadonlyArray<FileProblem> => {
  const [first, ...others] = files.filter((each) => each.kind === kind && each.fields[field] === true)
  return others.map(({ file }) => ({
    file,
    message: `${field}: ${first?.file ?? ""} says it already, and only one may`
  }))
}

/** The files with everything filled in that they leave out, and all problems of those that cannot be. */
export const checkFiles = (
  { files, problems }: { readonly files: ReadonlyArray<ObjectFile>; readonly problems: ReadonlyArray<FileProblem> },
  naming: Naming
) => {
  const all = files.map((each) => checked(each, naming))
  return {
    files: all.filter(Either.isRight).map(({ right }) => right),
    problems: [
      ...problems,
      ...all.filter(Either.isLeft).flatMap(({ left }) => left),
      ...single(files, "configurations", "isPrimary"),
      ...single(files, "boards", "pinned")
    ]
  }
}

/** Fails with all problems of all files. */
export const demandSound = (problems: ReadonlyArray<FileProblem>) => {
  const lines = problems.map(({ file, message }) => `  ${file}: ${message}`)
  return problems.length === 0
    ? Effect.void
    : refusal(`The files have problems, so nothing was changed:\n${lines.join("\n")}`, "FILES_INVALID")
}

const leading = ["$schema", "id", "name", "description", "alias", "kind", "queryType"]

const rank = (key: string) => {
  const place = leading.indexOf(key)
  return place === -1 ? leading.length : place
}

const byKey = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const sorted = (value: Json, compare: (a: string, b: string) => number): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item, byKey))
  if (!isObject(value)) return value
  const keys = Object.keys(value).sort(compare)
  return Object.fromEntries(keys.map((key): [string, Json] => [key, sorted(value[key] ?? null, byKey)]))
}

/** The text of a file: what tells the object first, then all other keys in the order of their letters. */
export const fileText = (fields: Document): string =>
  `${JSON.stringify(
    sorted(fields, (a, b) => rank(a) - rank(b) || byKey(a, b)),
    null,
    2
  )}\n`
