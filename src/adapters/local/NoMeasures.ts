import { Effect, Layer } from "effect"
import { Measures } from "../../ports/operations/Measures.ts"

const nothing = (): void => undefined

/** Counts nothing, where nobody asks. */
export const NoMeasures = Layer.succeed(Measures, {
  answered: nothing,
  markers: nothing,
  ran: nothing,
  exposition: () => Effect.succeed({ contentType: "text/plain; charset=utf-8", text: "" }),
  families: () => Effect.succeed([])
})
