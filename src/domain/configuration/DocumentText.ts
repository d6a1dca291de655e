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
