import { Either } from "effect"
import { type Document, get, isObject, type Json, type Path } from "../domain/configuration/Document.ts"
import { type Link, parse } from "../domain/configuration/Link.ts"
import { linkBefore } from "../domain/configuration/LinkedChanges.ts"
import { isLink } from "../domain/configuration/LinkTurns.ts"
import type { ObjectFile } from "./Files.ts"
import { managedKinds } from "./ManagedKind.ts"
import { fieldsWithIds, referencesOf } from "./Naming.ts"
import type { Existing } from "./Objects.ts"
import type { Server } from "./ServerState.ts"

const linksIn = (value: Json): ReadonlyArray<Link> => {
  if (isLink(value)) return Either.match(parse(value), { onLeft: () => [], onRight: (link) => [link] })
  const items = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
  return items.flatMap(linksIn)
}

/** Whether a document has nothing at the path. What lies behind a link is another one's. */
const lacks = (document: Document, path: Path): boolean =>
  linkBefore(document, path) === null && get(document, path) === undefined

const documentOf = ({ configuration }: Document): Document => (isObject(configuration) ? configuration : {})

const keyOf = ({ kind, key }: ObjectFile): string => `${kind} ${key}`

interface Kept {
  readonly file: ObjectFile
  readonly existing: Existing
}

/** For each configuration those that link at the server to what its file takes out: they have to be written before it. */
const earlierOnes = (
  { naming }: Server,
  kept: ReadonlyArray<Kept>
): ReadonlyMap<ObjectFile, ReadonlySet<ObjectFile>> => {
  const earlier = new Map<ObjectFile, Set<ObjectFile>>()
  const targets = new Map(
    kept.map(({ file, existing }) => [
      existing.id,
      { file, next: documentOf(fieldsWithIds(file.kind, file.fields, naming)) }
    ])
  )
  for (const { file, existing } of kept)
    for (const { configurationId, path } of linksIn(documentOf(existing.fields))) {
      const target = targets.get(configurationId)
      if (target === undefined || target.file === file || !lacks(target.next, path)) continue
      earlier.set(target.file, (earlier.get(target.file) ?? new Set()).add(file))
    }
  return earlier
}

/**
 * Those that others of the same kind refer to come first, but what somebody still links to is taken out of a configuration after the link. A circle
 * stays as it is: the server refuses it.
 */
export const inOrder = (
  server: Server,
  files: ReadonlyArray<ObjectFile>,
  existingOf: (file: ObjectFile) => Existing | undefined
): ReadonlyArray<ObjectFile> => {
  const ordered = new Set<ObjectFile>()
  const byKey = new Map(files.map((file) => [keyOf(file), file]))
  const kept = files.flatMap((file): ReadonlyArray<Kept> => {
    const existing = file.kind === "configurations" ? existingOf(file) : undefined
    return existing === undefined ? [] : [{ file, existing }]
  })
  const earlier = earlierOnes(server, kept)
  const visit = (file: ObjectFile, way: ReadonlySet<ObjectFile>): void => {
    if (ordered.has(file) || way.has(file)) return
    const onward = new Set([...way, file])
    for (const { kind, name } of referencesOf(file.kind, file.fields)) {
      const other = byKey.get(`${kind} ${name}`)
      if (other?.kind === file.kind && earlier.get(other)?.has(file) !== true) visit(other, onward)
    }
    for (const other of earlier.get(file) ?? []) visit(other, onward)
    ordered.add(file)
  }
  for (const kind of managedKinds) for (const file of files.filter((each) => each.kind === kind)) visit(file, new Set())
  return [...ordered]
}
