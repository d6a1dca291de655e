import { followRights } from "../api/FollowedRights.ts"
import { keepFocus } from "./KeptFocus.ts"

/** What goes on beside every page of a project, until the answer is called. */
export const keepUp = (main: HTMLElement): (() => void) => {
  const ends = [keepFocus(main), followRights()]
  return () => {
    for (const end of ends) end()
  }
}
