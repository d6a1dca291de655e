import { Effect, Layer } from "effect"
import { HeapKeeping } from "../services/operations/HeapKeeping.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

/** Looks every half minute whether memory can be given back, until the scope closes. */
export const HeapJob = Layer.scopedDiscard(
  Effect.flatMap(HeapKeeping, ({ round }) =>
    repeatAtIntervals("The look at the heap", { first: "30 seconds", interval: "30 seconds" }, round())
  )
)
