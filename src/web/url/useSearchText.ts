import { useCallback } from "react"
import { useLocation, useSearch } from "wouter"
import { readable } from "./Codec.ts"

/** The words that a list is narrowed to: a part of the address, so that a link shows the same rows, and so does the way back from one of them. */
export const useSearchText = () => {
  const text = new URLSearchParams(useSearch()).get("search") ?? ""
  const [, navigate] = useLocation()
  const search = useCallback(
    (words: string) => {
      const parameters = new URLSearchParams(window.location.search)
      if (words === "") parameters.delete("search")
      else parameters.set("search", words)
      navigate(window.location.pathname + readable(parameters), { replace: true })
    },
    [navigate]
  )
  return [text, search] as const
}
