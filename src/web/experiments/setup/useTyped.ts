import type { Where } from "../../api/queries.ts"
import type { Shape } from "../../ui/Kept.ts"
import { useKept } from "../../ui/useKept.ts"

type Value = string | number | Readonly<Record<number, string>>

interface Typed<T> {
  readonly value: T
  /** What it stood at when somebody began to change it. */
  readonly over: T
}

const shape = { version: 1, read: <T>(kept: T): T => kept }

const isSame = (left: Value, right: Value): boolean => JSON.stringify(left) === JSON.stringify(right)

/**
 * A value of a running experiment that somebody changes and has not saved yet. This browser keeps it, so that who looks at the results
 * meanwhile finds it again. Once the experiment has another value, saved here or elsewhere, that one is shown before it is changed again.
 */
export const useTyped = <T extends Value>(
  place: string,
  { environmentId }: Where,
  experimentId: number,
  present: T
) => {
  const ofTyped: Shape<Typed<T>> = shape
  const { draft, wasKept, change, discard } = useKept(`experiment-${place}-${environmentId}-${experimentId}`, ofTyped)
  const isOverPresent = draft !== null && isSame(draft.over, present)
  if (draft !== null && !isOverPresent) change(() => null)
  return {
    value: isOverPresent ? draft.value : present,
    isTyped: isOverPresent,
    wasKept: isOverPresent && wasKept,
    type: (value: T) => change(() => (isSame(value, present) ? null : { value, over: present })),
    discard
  } as const
}
