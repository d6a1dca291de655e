import { pageNumber } from "../ui/PageOfRows.ts"
import type { Codec } from "../url/Codec.ts"

/** What the list of links shows. */
export interface ListState {
  readonly search: string
  readonly isArchiveShown: boolean
  /** From 1. */
  readonly page: number
}

export const listCodec: Codec<ListState> = {
  read: (parameters) => ({
    search: parameters.get("search") ?? "",
    isArchiveShown: parameters.get("off") === "1",
    page: pageNumber(parameters.get("page"))
  }),
  write: ({ search, isArchiveShown, page }) =>
    new URLSearchParams({
      ...(search === "" ? {} : { search }),
      ...(isArchiveShown ? { off: "1" } : {}),
      ...(page === 1 ? {} : { page: String(page) })
    })
}
