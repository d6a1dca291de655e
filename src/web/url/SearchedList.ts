import { pageNumber } from "../ui/PageOfRows.ts"
import type { Codec } from "./Codec.ts"
import { useUrlState } from "./useUrlState.ts"

/** What a list that is narrowed by words shows, a page at a time. */
interface SearchedList {
  readonly search: string
  /** From 1. */
  readonly page: number
}

const searchedListCodec: Codec<SearchedList> = {
  read: (parameters) => ({ search: parameters.get("search") ?? "", page: pageNumber(parameters.get("page")) }),
  write: ({ search, page }) =>
    new URLSearchParams({ ...(search === "" ? {} : { search }), ...(page === 1 ? {} : { page: String(page) }) })
}

/** Rows that are drawn at once: more would keep who types into the search waiting. */
export const rowsAtOnce = 100

/** What a list shows by its address; other words begin at its first page. */
export const useSearchedList = () => {
  const [state, change] = useUrlState(searchedListCodec)
  return {
    ...state,
    onSearch: (search: string) => change(() => ({ search, page: 1 }), { replace: true }),
    onPage: (page: number) => change((before) => ({ ...before, page }))
  }
}
