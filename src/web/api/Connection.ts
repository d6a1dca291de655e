import { useSyncExternalStore } from "react"

/** Milliseconds between tries to reach a server that could not be reached. */
const tryEvery = 3_000

const listeners = new Set<() => void>()
let isLost = false
let isTrying = false

const set = (lost: boolean): void => {
  if (lost === isLost) return
  isLost = lost
  for (const listener of listeners) listener()
}

const tryLater = (): void => {
  setTimeout(() => {
    isTrying = false
    tryConnection()
  }, tryEvery)
}

/**
 * Asks the server whether it is there, again and again until it is, and for as long as the browser says that it has no network: what was on
 * its way then may still arrive, and no question would find out later.
 */
export const tryConnection = (): void => {
  if (isTrying) return
  isTrying = true
  fetch("/health", { cache: "no-store" }).then(
    ({ body }) => {
      // An answer that is not read keeps its connection, of which a browser has six.
      void body?.cancel()
      set(false)
      if (navigator.onLine) isTrying = false
      else tryLater()
    },
    () => {
      set(true)
      tryLater()
    }
  )
}

/** Whether the server could not be reached when it was last tried. */
export const useIsLost = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isLost
  )
