import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { tryConnection, useIsLost } from "../api/Connection.ts"
import { Icon } from "../ui/Icon.tsx"

/** Says that the server cannot be reached. What is on the screen stays; what failed meanwhile is asked again once it is back. */
export const Lost = () => {
  const client = useQueryClient()
  const isLost = useIsLost()
  // Questions wait by themselves while the browser knows that it has no network, so none of them would find out.
  useEffect(() => {
    window.addEventListener("offline", tryConnection)
    return () => window.removeEventListener("offline", tryConnection)
  }, [])
  useEffect(() => {
    if (!isLost) return
    return () => void client.refetchQueries({ predicate: ({ state }) => state.status === "error" })
  }, [client, isLost])
  return (
    <div className="lost" role="status">
      {isLost && (
        <p>
          <Icon name="warning" size={14} />
          Not connected, trying again. What you see is from before.
        </p>
      )}
    </div>
  )
}
