import { Effect, Layer } from "effect"
import { HeapKeeping } from "../services/operations/HeapKeeping.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

/** Looks every quarter of a minute whether memory can be given back, until the scope closes. */
export const HeapJob = Layer.scopedDiscard(
  Effect.flatMap(HeapKeeping, ({ round }) =>
    repeatAtIntervals("The look at the heap", { first: "15 seconds", interval: "15 seconds" }, round())
  )
)
