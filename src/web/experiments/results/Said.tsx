import type { Sentence } from "./Words.ts"

/** A sentence with its names in bold. */
export const Said = ({ sentence }: { readonly sentence: Sentence }) => (
  <>{sentence.map((part, index) => (typeof part === "string" ? part : <b key={index}>{part.name}</b>))}</>
)
