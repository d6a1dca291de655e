import { useCallback, useEffect, useState } from "react"
import { useMe } from "../../api/queries.ts"
import type { Shape } from "./Kept.ts"
import { forget, keep, kept } from "./Kept.ts"

interface Held<T> {
  readonly key: string
  readonly draft: T | null
  readonly wasKept: boolean
}

const found = <T>(key: string, shape: Shape<T>): Held<T> => {
  const draft = kept(key, shape)
  return { key, draft, wasKept: draft !== null }
}

/**
 * What this person has changed on a page and not saved yet; null for nothing. Whoever leaves the page finds it again in this browser, and
 * `wasKept` says that it was found. `place` names what it is a draft of, environment included.
 */
export const useKept = <T>(place: string, shape: Shape<T>) => {
  const key = `gamekeeper-draft-${useMe().data?.id ?? 0}-${place}`
  const [state, hold] = useState(() => found(key, shape))
  const held = state.key === key ? state : found(key, shape)
  if (held !== state) hold(held)
  const { draft } = held
  useEffect(() => {
    if (draft === null) return forget(key)
    if (keep(key, shape, draft)) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener("beforeunload", warn)
    return () => window.removeEventListener("beforeunload", warn)
  }, [draft, key, shape])
  /** Takes what the draft becomes; null forgets it. */
  const change = useCallback(
    (next: (present: T | null) => T | null) =>
      hold((before) => {
        const draftNow = next(before.draft)
        return { ...before, draft: draftNow, wasKept: before.wasKept && draftNow !== null }
      }),
    []
  )
  /** Forgets it at once: who saves or discards may be led to another page before this one is shown again. */
  const discard = useCallback(() => {
    forget(key)
    change(() => null)
  }, [change, key])
  return { draft, wasKept: held.wasKept, change, discard } as const
}

type Value = string | Readonly<Record<number, string>>

interface Typed<T> {
  readonly value: T
  /** What it stood at when somebody began to change it. */
  readonly over: T
}

const typedShape = { version: 1, read: <T>(kept: T): T => kept }

const isSame = (left: Value, right: Value): boolean => JSON.stringify(left) === JSON.stringify(right)

/**
 * A value that somebody changes and has not saved yet. This browser keeps it, so that who looks at another page meanwhile finds it again.
 * Once another value is present, saved here or elsewhere, that one is shown before it is changed again.
 */
export const useTyped = <T extends Value>(place: string, present: T) => {
  const ofTyped: Shape<Typed<T>> = typedShape
  const { draft, wasKept, change, discard } = useKept(place, ofTyped)
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
