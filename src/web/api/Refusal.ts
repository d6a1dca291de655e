import { useSyncExternalStore } from "react"

/** Something that the server refuses this browser for until somebody does something about it, such as a session that has ended. */
export interface Refusal {
  /** Called when a request leaves. What it answers is called when that request was refused, which says nothing where `settle` came between. */
  readonly sending: () => () => void
  /** Somebody did something about it, or does not want to now; the next request that is refused asks again. */
  readonly settle: () => void
  readonly useIsMet: () => boolean
}

export const makeRefusal = (): Refusal => {
  const listeners = new Set<() => void>()
  let timesSettled = 0
  let isMet = false
  const set = (met: boolean): void => {
    if (isMet === met) return
    isMet = met
    for (const listener of listeners) listener()
  }
  return {
    sending: () => {
      const before = timesSettled
      return () => {
        if (before === timesSettled) set(true)
      }
    },
    settle: () => {
      timesSettled++
      set(false)
    },
    useIsMet: () =>
      useSyncExternalStore(
        (listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
        () => isMet
      )
  }
}

/** The server did not accept the cookie. */
export const sessionEnd = makeRefusal()

/** An organization lets nobody in who has shown a password alone. */
export const factorDemand = makeRefusal()
