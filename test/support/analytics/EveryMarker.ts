import { unfiltered } from "../../../src/domain/analytics/filter/Filter.ts"

/** Asks a store for the markers of an environment, the first hundred of them. */
export const everyMarker = {
  kind: "listing",
  plan: {
    range: { from: 0, to: Number.MAX_SAFE_INTEGER },
    types: null,
    unitId: null,
    filter: unfiltered,
    limit: 100,
    after: null
  }
} as const
