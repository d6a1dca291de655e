import { useQueryClient } from "@tanstack/react-query"
import { useCallback } from "react"
import type { Where } from "./queries.ts"
import { useStream } from "./Stream.ts"
import type { StreamEvents } from "./StreamEvents.ts"

/**
 * Follows what others change for as long as the component is shown: after a change, and when some may have been missed, whatever was
 * asked under the keys is asked again where a page shows it. `keys` must stay the same list.
 */
export const useFollow = (where: Where, kind: keyof StreamEvents, keys: ReadonlyArray<string>): void => {
  const client = useQueryClient()
  const ask = useCallback(() => {
    void client.invalidateQueries({ predicate: ({ queryKey: [first] }) => keys.some((key) => key === first) })
  }, [client, keys])
  useStream(where, kind, ask)
  useStream(where, "reset", ask)
}
