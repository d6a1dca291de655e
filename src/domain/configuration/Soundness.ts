import type { Document, Path } from "./Document.ts"
import type { LinkFailure } from "./Links.ts"
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
