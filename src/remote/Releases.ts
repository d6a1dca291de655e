import { copyName } from "../domain/configuration/CopyName.ts"
import type { Document, Json } from "../domain/configuration/Document.ts"
import type { ObjectFile } from "./Files.ts"
import type { Existing } from "./Objects.ts"
import type { Server } from "./ServerState.ts"

/** What a configuration answers to: two of an environment never answer to the same. */
const calledIn = ({ name, alias }: Document): ReadonlyArray<string> =>
  [name, alias].filter((each: Json | undefined) => typeof each === "string")

/** What a configuration is until the files are applied: without what another one is called before it is changed or removed itself. */
export interface Release {
  readonly key: string
  readonly existing: Existing
  /** Its own file; undefined where it is to be removed. */
  readonly file: ObjectFile | undefined
  readonly fields: Document
}

/**
 * The configurations that have to give up an alias, or a name, before anything else is done. A renamed one is another object that keeps its
 * alias: it has to be there before what links to the old one is changed, and so before the old one can be removed. `files` are in the order
 * in which they are written.
 */
export const releasesOf = (
  server: Server,
  files: ReadonlyArray<ObjectFile>,
  prune: boolean
): ReadonlyArray<Release> => {
  const configurations = files.filter(({ kind }) => kind === "configurations")
  const present = server.objects.filter(({ kind }) => kind === "configurations")
  const taken = new Set(
    [...configurations, ...present.map(({ existing }) => existing)].flatMap((each) => calledIn(each.fields))
  )
  return present.flatMap(({ key, existing }): ReadonlyArray<Release> => {
    const at = configurations.findIndex((each) => each.key === key)
    const file = configurations[at]
    if (file === undefined && !prune) return []
    const kept = new Set(file === undefined ? [] : calledIn(file.fields))
    const earlier = file === undefined ? configurations : configurations.slice(0, at)
    const wanted = new Set(earlier.flatMap((each) => calledIn(each.fields)).filter((called) => !kept.has(called)))
    const { alias, ...rest } = existing.fields
    const given = calledIn(existing.fields).filter((called) => wanted.has(called))
    if (given.length === 0) return []
    const name = given.includes(existing.name) ? copyName(existing.name, taken, false) : existing.name
    const keepsAlias = typeof alias === "string" && !given.includes(alias)
    return [{ key, existing, file, fields: { ...rest, name, ...(keepsAlias ? { alias } : {}) } }]
  })
}
