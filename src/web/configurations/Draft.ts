import type { DocumentChange } from "../../domain/configuration/Diff.ts"
import { diff } from "../../domain/configuration/Diff.ts"
import type { Document, Json, Path } from "../../domain/configuration/Document.ts"
import { equals, get, isObject } from "../../domain/configuration/Document.ts"

/** What an editor has made of a configuration and nobody has got yet. */
export interface ConfigurationDraft {
  readonly document: Document
  /** Paths that public keys do not see. */
  readonly privacy: ReadonlyArray<Path>
}

export const documentText = (document: Json): string => JSON.stringify(document, null, 2)

interface Misread {
  readonly message: string
  /** Where reading ended: characters from the beginning, and the line, from 1. */
  readonly at: number
  readonly line: number
}

export type Read = { readonly ok: true; readonly value: Document } | { readonly ok: false; readonly misread: Misread }

const parsed = (text: string): { readonly value: Json } | { readonly message: string } => {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) }
  }
}

const placeIn = (message: string): number | null => {
  const place = /position (\d+)/.exec(message)?.[1]
  return place === undefined ? null : Number(place)
}

/** Whether a beginning of a text is sound as far as it goes. */
const isUnfinished = (text: string): boolean => {
  const found = parsed(text)
  if ("value" in found || /end of|unterminated/i.test(found.message)) return true
  return (placeIn(found.message) ?? -1) >= text.length
}

/** Where a text stops to be JSON. Browsers say it of some mistakes only; of the others the longest sound beginning is sought. */
const mistakeIn = (text: string, message: string): number => {
  const told = placeIn(message)
  if (told !== null) return told
  let [sound, broken] = [0, text.length]
  while (broken - sound > 1) {
    const middle = Math.floor((sound + broken) / 2)
    if (isUnfinished(text.slice(0, middle))) sound = middle
    else broken = middle
  }
  return sound
}

const lineAt = (text: string, place: number): number => text.slice(0, place).split("\n").length

/** Reads a value of any kind; the message says what is wrong with the text. */
export const readValue = (text: string): { readonly value: Json } | { readonly message: string } => parsed(text)

/** Reads a document: a JSON object. */
export const readDocument = (text: string): Read => {
  const found = parsed(text)
  if ("message" in found) {
    const at = mistakeIn(text, found.message)
    return { ok: false, misread: { message: found.message, at, line: lineAt(text, at) } }
  }
  if (isObject(found.value)) return { ok: true, value: found.value }
  return { ok: false, misread: { message: "A configuration is an object: it begins with {", at: 0, line: 1 } }
}

const withEntry = (document: Document, key: string, value: Json | undefined): Document => {
  const entries = Object.entries(document).filter(([name]) => name !== key || value !== undefined)
  if (value === undefined) return Object.fromEntries(entries)
  if (!Object.hasOwn(document, key)) return Object.fromEntries([...entries, [key, value]])
  return Object.fromEntries(entries.map(([name, old]) => [name, name === key ? value : old]))
}

/** The document with another value at a path, or without it (undefined). Objects on the way that are missing are made. */
export const withValue = (document: Document, path: Path, value: Json | undefined): Document => {
  const [key, ...rest] = path
  if (key === undefined) return isObject(value) ? value : document
  if (rest.length === 0) return withEntry(document, key, value)
  const inner = Object.hasOwn(document, key) ? document[key] : undefined
  if (value === undefined && !isObject(inner)) return document
  return withEntry(document, key, withValue(isObject(inner) ? inner : {}, rest, value))
}

/** What changes have to say to be applied: a path, and the value that it gets if it is not removed. */
type Wanted = Pick<DocumentChange, "op" | "path"> & { readonly value?: Json }

export const applied = (document: Document, changes: ReadonlyArray<Wanted>): Document =>
  changes.reduce((made, each) => withValue(made, each.path, each.op === "set" ? each.value : undefined), document)

/** Whether one path leads to the other, or is it. */
export const meets = (one: Path, other: Path): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  return short.every((key, index) => key === long[index])
}

/** A path that two people have changed to different values; undefined is "not there". */
export interface Conflict {
  readonly path: Path
  readonly base: Json | undefined
  readonly mine: Json | undefined
  readonly theirs: Json | undefined
}

export interface Merge {
  /** What I have changed and they have not, as changes of their document. */
  readonly kept: ReadonlyArray<DocumentChange>
  readonly conflicts: ReadonlyArray<Conflict>
}

/** The paths that no other of them leads to, each once. */
export const uppermost = (paths: ReadonlyArray<Path>): ReadonlyArray<Path> =>
  paths.filter(
    (path, index) =>
      !paths.some(
        (other, at) =>
          at !== index &&
          meets(path, other) &&
          (other.length < path.length || (other.length === path.length && at < index))
      )
  )

/** What becomes of my changes of `base` where somebody else has meanwhile made `theirs` of it. */
export const merged = (base: Document, mine: Document, theirs: Document): Merge => {
  const theirPaths = diff(base, theirs).map(({ path }) => path)
  const myChanges = diff(base, mine)
  const isTouched = ({ path }: DocumentChange) => theirPaths.some((other) => meets(path, other))
  const touched = myChanges.filter(isTouched)
  const disputed = uppermost(
    touched.flatMap(({ path }) => [
      path,
      ...theirPaths.filter((other) => meets(path, other) && other.length < path.length)
    ])
  )
  const conflicts = disputed
    .map((path) => ({ path, base: get(base, path), mine: get(mine, path), theirs: get(theirs, path) }))
    .filter((each) => !equals(each.mine, each.theirs))
  return { kept: myChanges.filter((each) => !isTouched(each)), conflicts }
}

/** Their document with what I have changed, and with my side of the conflicts that I have decided so. */
export const resolved = (theirs: Document, { kept, conflicts }: Merge, mineAt: ReadonlySet<number>): Document =>
  conflicts.reduce(
    (made, { path, mine }, index) => (mineAt.has(index) ? withValue(made, path, mine) : made),
    applied(theirs, kept)
  )

const pathKey = (path: Path): string => JSON.stringify(path)

/** Paths of one list that the other lacks. */
export const pathsWithout = (paths: ReadonlyArray<Path>, others: ReadonlyArray<Path>): ReadonlyArray<Path> => {
  const known = new Set(others.map(pathKey))
  return paths.filter((path) => !known.has(pathKey(path)))
}

export const isSameDraft = (one: ConfigurationDraft, other: ConfigurationDraft): boolean =>
  equals(one.document, other.document) &&
  pathsWithout(one.privacy, other.privacy).length === 0 &&
  pathsWithout(other.privacy, one.privacy).length === 0

/** A value in one short line. */
export const valueText = (value: Json | undefined): string => {
  if (value === undefined) return "not there"
  const text = JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}

export const pathText = (path: Path): string => path.join(" › ")

/** Whether a value is private: 'own' where its own path is, 'inherited' where an object around it is. */
export const privacyOf = (privacy: ReadonlyArray<Path>, path: Path): "own" | "inherited" | null => {
  const around = privacy.filter((each) => each.length <= path.length && meets(each, path))
  if (around.some((each) => each.length === path.length)) return "own"
  return around.length > 0 ? "inherited" : null
}

/** Where a link leads: another configuration, or a value of it. */
export interface LinkTarget {
  readonly configurationId: number
  readonly path: Path
}

/** What a well-formed link stands for; null for any other value. */
export const linkIn = (value: Json): LinkTarget | null => {
  if (!isObject(value) || Object.keys(value).length !== 1) return null
  const link = value["$link"]
  if (!isObject(link) || typeof link["configurationId"] !== "number") return null
  const path = link["path"] ?? []
  if (!Array.isArray(path)) return null
  return { configurationId: link["configurationId"], path: path.map(String) }
}
