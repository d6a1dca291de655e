import type { Answer } from "../api/Wire.ts"
import { countText } from "../text/Numbers.ts"

/** What an answer was read from, and in what time. */
export const readText = ({
  cached,
  rowsScanned,
  elapsedMs
}: Pick<Answer<"queries.insights">["meta"], "cached" | "rowsScanned" | "elapsedMs">): string =>
  cached || rowsScanned === 0
    ? "Answered from memory"
    : `${countText(rowsScanned, "marker")} read in ${Math.max(1, Math.round(elapsedMs))} ms`
