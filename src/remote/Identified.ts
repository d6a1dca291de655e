import type { FileProblem, ObjectFile } from "./Files.ts"
import type { Server } from "./ServerState.ts"

const twice = (files: ReadonlyArray<ObjectFile>): ReadonlyArray<FileProblem> => {
  const first = new Map<string, string>()
  return files.flatMap(({ kind, key, file }) => {
    const before = first.get(`${kind} ${key}`)
    if (before === undefined) first.set(`${kind} ${key}`, file)
    return before === undefined ? [] : [{ file, message: `name: ${before} is called ${key} too` }]
  })
}

/**
 * The files with the keys that the server's objects have. A file that says the id of an object is about that one, also once no other has its
 * name any more. An id that the server does not have, such as one of another project, says nothing as soon as an object has the name: what the
 * file makes gets an id of its own, and would be made anew each time. Where several objects have the name of a file, it has to say which one it
 * is about.
 */
export const identified = (
  files: ReadonlyArray<ObjectFile>,
  objects: Server["objects"]
): {
  readonly files: ReadonlyArray<ObjectFile>
  readonly problems: ReadonlyArray<FileProblem>
  /** Those of the problems that are of a file whose object has another file too. */
  readonly repeated: ReadonlyArray<FileProblem>
} => {
  const keyById = new Map(objects.map(({ kind, key, existing }) => [`${kind} ${existing.id}`, key]))
  const names = new Set(objects.map(({ kind, existing }) => `${kind} ${existing.name}`))
  const known = files.map((each): ObjectFile => {
    const key = keyById.get(`${each.kind} ${each.id ?? ""}`)
    if (key !== undefined) return { ...each, key }
    const name = String(each.fields["name"])
    return names.has(`${each.kind} ${name}`) ? { ...each, id: null, key: name } : each
  })
  const unclear = known.flatMap(({ kind, key, id, file }): ReadonlyArray<FileProblem> => {
    const alike = id === null ? objects.filter((each) => each.kind === kind && each.existing.name === key) : []
    if (alike.length < 2) return []
    const ids = alike.map(({ existing }) => existing.id).join(", ")
    return [{ file, message: `name: the server has several ${kind} called ${key}: say the id of one (${ids})` }]
  })
  const repeated = twice(known)
  return { files: known, problems: [...repeated, ...unclear], repeated }
}
