import { Instant } from "./Instant.ts"
import { optional } from "./Optional.ts"

/** Lets a change that was made on an older state be refused. */
export const basedOn = optional(
  Instant.annotations({
    description: "`updatedAt` of the state that the change was made on. Another one by now refuses it."
  })
)
