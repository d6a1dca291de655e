import { pageNumber } from "../ui/PageOfRows.ts"
import type { Codec } from "../url/Codec.ts"

/** What the list of cohorts shows. */
export interface ListState {
  readonly search: string
  readonly kind: "all" | "dynamic" | "static"
  /** From 1. */
  readonly page: number
}

export const listCodec: Codec<ListState> = {
  read: (parameters) => {
    const kind = parameters.get("kind")
    return {
      search: parameters.get("search") ?? "",
      kind: kind === "dynamic" || kind === "static" ? kind : "all",
      page: pageNumber(parameters.get("page"))
    }
  },
  write: ({ search, kind, page }) => {
    const parameters = new URLSearchParams()
    if (search !== "") parameters.set("search", search)
    if (kind !== "all") parameters.set("kind", kind)
    if (page !== 1) parameters.set("page", String(page))
    return parameters
  }
}
