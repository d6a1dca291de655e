import { useState } from "react"

const keyOf = (applicationId: number): string => `gamekeeper-test-player-${applicationId}`

/** The id of one's own test player in a project. This tab remembers it; it is kept nowhere else. */
export const useMe = (applicationId: number) => {
  const [me, setMe] = useState(() => sessionStorage.getItem(keyOf(applicationId)) ?? "")
  const remember = (id: string) => {
    if (id === "") sessionStorage.removeItem(keyOf(applicationId))
    else sessionStorage.setItem(keyOf(applicationId), id)
    setMe(id)
  }
  return [me, remember] as const
}
