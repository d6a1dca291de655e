import { useState } from "react"
import { readStored, writeStored } from "../ui/Stored.ts"

const keyOf = (applicationId: number): string => `gamekeeper-test-player-${applicationId}`

/** The id of one's own test player in a project. This tab remembers it; it is kept nowhere else. */
export const useMe = (applicationId: number) => {
  const [me, setMe] = useState(() => readStored("sessionStorage", keyOf(applicationId)) ?? "")
  const remember = (id: string) => {
    writeStored("sessionStorage", keyOf(applicationId), id === "" ? null : id)
    setMe(id)
  }
  return [me, remember] as const
}
