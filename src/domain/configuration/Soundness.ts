import type { Changeset } from "./Changeset.ts"
import { type Document, isObject, type Json, type Path } from "./Document.ts"
import type { LinkFailure } from "./Links.ts"
import { isLink, linkKey } from "./LinkTurns.ts"
import { excessOf, maxLevels, maxResolvedBytes } from "./Size.ts"

/** Why a document may not be written, apart from its schema. */
export interface Flaw {
  readonly path: Path
  readonly message: string
}

const linkProblems: Record<Exclude<LinkFailure["reason"], "TooLarge">, string> = {
  Malformed: 'expected {"$link": {"configurationId": number, "path"?: [key…]}} and nothing beside it',
  Dangling: "links to what is not in this environment",
  Cycle: "links back to itself",
  NotAnObject: "links the whole document to something that is no object"
}

const tooLarge = "expected at most 100000 values, 128 levels, 32 links in a chain and 20000 private paths behind links"

/** What a link that cannot be resolved says of the document that holds it; `isLink` is false where a limit forbids it. */
export const linkFlaw = ({ reason, at }: LinkFailure): Flaw & { readonly isLink: boolean } =>
  reason === "TooLarge"
    ? { isLink: false, path: at, message: tooLarge }
    : { isLink: true, path: at, message: linkProblems[reason] }

/** What an excess of `bytes` bytes, or of levels, says of the whole value; `of` stands behind the number of bytes. */
export const excessFlaw = (excess: ReturnType<typeof excessOf>, bytes: number, of = ""): Flaw | null => {
  if (excess === null) return null
  const message =
    excess === "bytes" ? `expected at most ${bytes} bytes${of}` : `expected at most ${maxLevels} levels of nesting`
  return { path: [], message }
}

/** What is wrong with a document of permitted size once its links are resolved. One without links is the same then. */
export const resolvedFlaw = (document: Document, resolved: Document): Flaw | null =>
  resolved === document
    ? null
    : excessFlaw(
        excessOf(resolved, { bytes: maxResolvedBytes, levels: Infinity }),
        maxResolvedBytes,
        " once its links are resolved"
      )

/** Objects of JavaScript lose a field of this name, or take it for their prototype: no body may have one, so that no change may make one either. */
export const lostKey = "__proto__"

const lost = (path: Path): Flaw => ({ path, message: "no field may have this name" })

/** The path to a field of that name; null where there is none. */
const lostIn = (value: Json, at: Path): Path | null => {
  if (typeof value !== "object" || value === null) return null
  for (const [key, inner] of Object.entries<Json>(value)) {
    const path = [...at, key]
    const found = key === lostKey && isObject(value) ? path : lostIn(inner, path)
    if (found !== null) return found
  }
  return null
}

/** A field that a document may not have, looked for where its JSON text gives reason to. */
export const fieldFlaw = (document: Document, text: string): Flaw | null => {
  const path = text.includes(`"${lostKey}"`) ? lostIn(document, []) : null
  return path === null ? null : lost(path)
}

/** The path to the first link in a value; null where there is none. */
const linkIn = (value: Json, at: Path): Path | null => {
  if (typeof value !== "object" || value === null) return null
  if (isLink(value)) return at
  for (const [key, inner] of Object.entries<Json>(value)) {
    const found = linkIn(inner, [...at, key])
    if (found !== null) return found
  }
  return null
}

const linkMessage =
  "a group can set no link: links are resolved before its changes, so that its players would get it as it is written"

/**
 * What a group of an experiment may not make: a field that no document may have, or a link, which would be one as soon as the group's changes are
 * written to the base.
 */
export const changesetFlaw = ({ operations }: Changeset): Flaw | null => {
  for (const operation of operations) {
    if (operation.op === "delete") continue
    const { path, value } = operation
    if (path.includes(lostKey)) return lost(path)
    const place = path.indexOf(linkKey)
    const link = place < 0 ? linkIn(value, path) : path.slice(0, place)
    if (link !== null) return { path: link, message: linkMessage }
  }
  return null
}
