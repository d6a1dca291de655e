import type { Path } from "../../../domain/configuration/Document.ts"

/** Something that keeps a text from being published: at a place of the text where it is no JSON, else at a path of the document. */
export type Problem =
  | { readonly message: string; readonly at: number; readonly path?: never }
  | { readonly message: string; readonly path: Path; readonly at?: never }
