import { useCallback, useMemo } from "react"
import { useLocation, useSearch } from "wouter"
import type { Codec } from "./Codec.ts"
import { readable } from "./Codec.ts"

/** The state of a page, which is its address. Choosing pushes an entry of the history; `replace` changes the present one. */
export const useUrlState = <State>(codec: Codec<State>) => {
  const search = useSearch()
  const [, navigate] = useLocation()
  const state = useMemo(() => codec.read(new URLSearchParams(search)), [codec, search])
  const change = useCallback(
    (update: (state: State) => State, options: { readonly replace?: boolean } = {}) => {
      const present = codec.read(new URLSearchParams(window.location.search))
      // The router would decode the path, which may hold an id with any letters.
      navigate(window.location.pathname + readable(codec.write(update(present))), { replace: options.replace ?? false })
    },
    [codec, navigate]
  )
  return [state, change] as const
}
