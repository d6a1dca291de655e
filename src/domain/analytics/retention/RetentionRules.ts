import type { RetentionPlan } from "./RetentionPlan.ts"

/** A rule for retention that the query breaks. */
export type RetentionFault =
  | { readonly _tag: "NoColumns" }
  /** Brackets must be contiguous and ascending, and start at 1; `bracket` is the index from 0. */
  | { readonly _tag: "Brackets"; readonly bracket: number }
  | { readonly _tag: "Occurrences"; readonly minimumOccurrences: number }
  | { readonly _tag: "DatedByReturn" }

type Asked = Pick<RetentionPlan, "criterion" | "minimumOccurrences" | "dateBy" | "window">

/** The first rule that a query breaks; null if it can be answered. */
export const retentionFault = ({ criterion, minimumOccurrences, dateBy, window }: Asked): RetentionFault | null => {
  if (criterion.type === "brackets") {
    const { brackets } = criterion
    if (brackets.length === 0) return { _tag: "NoColumns" }
    const bracket = brackets.findIndex(([from, to], i) => from !== (brackets[i - 1]?.[1] ?? 0) + 1 || to < from)
    if (bracket >= 0) return { _tag: "Brackets", bracket }
  } else if (criterion.columns < 1) return { _tag: "NoColumns" }
  if (minimumOccurrences < 1) return { _tag: "Occurrences", minimumOccurrences }
  if (dateBy === "return" && (criterion.type !== "on" || window !== "calendar")) return { _tag: "DatedByReturn" }
  return null
}
