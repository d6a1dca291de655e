import { useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect, useRef } from "react"
import { isRefusal } from "./Failure.ts"
import type { Where } from "./queries.ts"
import { useStream, useStreamStatus } from "./Stream.ts"
import type { StreamEvents } from "./StreamEvents.ts"

/**
 * Follows what others change for as long as the component is shown: after a change, and when some may have been missed, whatever was
 * asked under the keys is asked again where a page shows it. `keys` must stay the same list.
 */
export const useFollow = (where: Where, kind: keyof StreamEvents, keys: ReadonlyArray<string>): void => {
  const client = useQueryClient()
  const askWhere = useCallback(
    (isWanted: (error: Error | null) => boolean) =>
      client.invalidateQueries({
        predicate: ({ queryKey: [first], state }) => keys.some((key) => key === first) && isWanted(state.error)
      }),
    [client, keys]
  )
  const ask = useCallback(() => {
    void askWhere(() => true)
  }, [askWhere])
  // What changed after the page was answered and before the stream was open was told to nobody here. What was refused is as it was: asked
  // again, the words of the refusal would go and come back.
  const status = useStreamStatus(where)
  const before = useRef(status)
  useEffect(() => {
    if (status === "open" && before.current !== "open") void askWhere((error) => !isRefusal(error))
    before.current = status
  }, [status, askWhere])
  useStream(where, kind, ask)
  useStream(where, "reset", ask)
}
