import { useSyncExternalStore } from "react"

const listeners = new Set<() => void>()
let isDemanded = false

const set = (demanded: boolean): void => {
  if (isDemanded === demanded) return
  isDemanded = demanded
  for (const listener of listeners) listener()
}

/** An organization refused this browser, because nothing but the password was shown in it. */
export const demandFactor = (): void => set(true)

/** A factor was shown, or the person wants to try again: the next refusal asks again. */
export const forgetDemand = (): void => set(false)

/** Whether an organization has asked for a second factor. */
export const useIsFactorDemanded = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isDemanded
  )
