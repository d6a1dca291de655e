import { calmLooks } from "./AlertCourse.ts"
import type { Look } from "./AlertJudgement.ts"

/** How many incidents such looks, oldest first, would have begun. */
export const beginnings = (looks: ReadonlyArray<Look>): number => {
  let count = 0
  let calm = calmLooks
  for (const { verdict } of looks) {
    if (verdict === "unclear") continue
    if (verdict === "fine") calm++
    else {
      if (calm >= calmLooks) count++
      calm = 0
    }
  }
  return count
}
