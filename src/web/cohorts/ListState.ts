import type { Codec } from "../url/Codec.ts"

/** What the list of cohorts shows. */
export interface ListState {
  readonly search: string
  readonly kind: "all" | "dynamic" | "static"
}

export const listCodec: Codec<ListState> = {
  read: (parameters) => {
    const kind = parameters.get("kind")
    return { search: parameters.get("search") ?? "", kind: kind === "dynamic" || kind === "static" ? kind : "all" }
  },
  write: ({ search, kind }) => {
    const parameters = new URLSearchParams()
    if (search !== "") parameters.set("search", search)
    if (kind !== "all") parameters.set("kind", kind)
    return parameters
  }
}
