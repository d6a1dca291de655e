import { Either } from "effect"
import { jsonSteps } from "../JsonSteps.ts"
import { jsonTextSteps } from "./Canonical.ts"
import type { Document } from "./Document.ts"

/** Of documents, which never change: one that is written is stored in two tables and sent to whoever wrote it. */
const known = new WeakMap<Document, string>()

/** A document as JSON text, written once. To be asked for documents that are written soon: it is kept as long as the document is. */
export const documentText = (document: Document): string => {
  const before = known.get(document)
  if (before !== undefined) return before
  const text = JSON.stringify(document)
  known.set(document, text)
  return text
}

/** The same in steps where it is not known yet: after each, others may have a turn. */
export function* documentTextSteps(document: Document): Generator<undefined, string> {
  const text = known.get(document) ?? (yield* jsonTextSteps(document))
  known.set(document, text)
  return text
}

/** Characters from which on a document is read in steps, which take some times as long together. */
const longText = 64 * 1024

const isDocument = (value: unknown): value is Document =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const read = (text: string): Document => JSON.parse(text)

/** The document whose text `documentText` wrote, a large one read in steps: after each, others may have a turn. */
export function* documentOfSteps(text: string): Generator<undefined, Document> {
  if (text.length < longText) return read(text)
  const parsed = Either.getOrUndefined(yield* jsonSteps(text))
  return isDocument(parsed) ? parsed : read(text)
}
