import { useSyncExternalStore } from "react"

/**
 * What tabs of one browser tell each other: somebody signed in, or the account of this browser is another one now, or none. Nothing about
 * who it is: each tab asks the server.
 */
type News = "signed in" | "left"

const channel = new BroadcastChannel("gamekeeper-session")

const listeners = new Set<() => void>()
let hasEnded = false

const set = (ended: boolean): void => {
  if (hasEnded === ended) return
  hasEnded = ended
  for (const listener of listeners) listener()
}

/** The server did not accept the cookie. */
export const endSession = (): void => set(true)

/** Nobody wants to sign in again now; the next refused request asks again. */
export const dismissEnd = (): void => set(false)

/** Whether a request was refused for want of a session since the last sign-in. */
export const useHasEnded = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hasEnded
  )

/** Tells this tab and the others. */
export const tell = (news: News): void => {
  set(false)
  channel.postMessage(news)
}

/** Hears what other tabs tell; the answer ends it. */
export const hear = (onNews: (news: News) => void): (() => void) => {
  const onMessage = ({ data }: MessageEvent<unknown>) => {
    if (data !== "signed in" && data !== "left") return
    set(false)
    onNews(data)
  }
  channel.addEventListener("message", onMessage)
  return () => channel.removeEventListener("message", onMessage)
}
