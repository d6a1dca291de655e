import type { Period } from "../builder/Period.ts"
import { periodOf, periodText } from "../builder/Period.ts"
import type { Codec } from "../url/Codec.ts"

/** What is asked about a link. */
export interface ResultsState {
  readonly period: Period
  readonly breakdown: "source" | "country" | "device"
}

const usual = "30d"

export const resultsCodec: Codec<ResultsState> = {
  read: (parameters) => {
    const by = parameters.get("by")
    return {
      period: periodOf(parameters.get("range") ?? usual) ?? { kind: "relative", step: "day", value: 30 },
      breakdown: by === "country" || by === "device" ? by : "source"
    }
  },
  write: ({ period, breakdown }) =>
    new URLSearchParams({
      ...(periodText(period) === usual ? {} : { range: periodText(period) }),
      ...(breakdown === "source" ? {} : { by: breakdown })
    })
}
