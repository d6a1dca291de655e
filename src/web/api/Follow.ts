import { useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect, useRef } from "react"
import type { Where } from "./queries.ts"
import { useStream, useStreamStatus } from "./Stream.ts"
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
  // What changed after the page was answered and before the stream was open was told to nobody here.
  const status = useStreamStatus(where)
  const before = useRef(status)
  useEffect(() => {
    if (status === "open" && before.current !== "open") ask()
    before.current = status
  }, [status, ask])
  useStream(where, kind, ask)
  useStream(where, "reset", ask)
}
