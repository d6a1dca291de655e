import { Effect } from "effect"
import { fieldsWithIds } from "./Naming.ts"
import type { Existing } from "./Objects.ts"
import { plan } from "./Plan.ts"
import { refusal } from "./Refused.ts"
import type { ComparisonRequest } from "./ServerState.ts"
import type { PlannedStep } from "./Steps.ts"

type Planned = Effect.Effect.Success<ReturnType<typeof plan>>

const demandFree = (steps: ReadonlyArray<PlannedStep>) => {
  const lines = steps.flatMap(({ kind, name, heldBy }) =>
    heldBy.map(({ experiment, path }) => `  ${kind}/${name}: ${path.join(".")} is held by the experiment ${experiment}`)
  )
  return lines.length === 0
    ? Effect.void
    : refusal(
        `Running experiments hold what the files change, so nothing was changed:\n${lines.join("\n")}`,
        "PATH_LOCKED"
      )
}

/**
 * Makes the planned changes one after the other, in an order in which everything that is referred to exists. It stops at the first that is
 * refused; what was done until then stays, and the next plan holds the rest.
 */
export const applySteps = Effect.fnUntraced(function* (
  { steps, server: { naming, inventory } }: Planned,
  done: (step: PlannedStep) => Effect.Effect<void>
) {
  const wanted = steps.filter(({ isApplied }) => isApplied)
  yield* demandFree(wanted)
  /** What an earlier step has changed, as it is since. */
  const changed = new Map<Existing, Existing>()
  for (const step of wanted) {
    const { kind, name, written, existing: planned } = step
    const existing = planned === undefined ? undefined : (changed.get(planned) ?? planned)
    if (written === undefined) {
      if (existing !== undefined) yield* existing.remove
    } else {
      const fields = fieldsWithIds(kind, written.fields, naming)
      if (planned !== undefined && existing !== undefined) changed.set(planned, yield* existing.update(fields))
      else {
        const { id } = yield* inventory[kind].create(fields)
        if (kind !== "boards" && kind !== "roles") naming.set(kind, name, id)
      }
    }
    yield* done(step)
  }
  return wanted.length
})

/** Plans and makes the changes at once. */
export const apply = (asked: ComparisonRequest, done: (step: PlannedStep) => Effect.Effect<void> = () => Effect.void) =>
  Effect.flatMap(plan(asked), (planned) => applySteps(planned, done))
