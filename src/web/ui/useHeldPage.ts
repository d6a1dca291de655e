import { useEffect } from "react"

/**
 * Holds the page while there is something to ask first: who loads it anew or closes its tab is asked by the browser, and who goes back or
 * forward by `ask`. Browsers hold a page after somebody did something on it, once, and older ones hold no way back.
 */
export const useHeldPage = (hasToAsk: () => boolean, ask: () => void): void => {
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (hasToAsk()) event.preventDefault()
    }
    const onNavigate = (event: Event) => {
      if (!event.cancelable || Reflect.get(event, "navigationType") !== "traverse" || !hasToAsk()) return
      event.preventDefault()
      ask()
    }
    const navigation: unknown = Reflect.get(window, "navigation")
    const ways = navigation instanceof EventTarget ? navigation : null
    window.addEventListener("beforeunload", onUnload)
    ways?.addEventListener("navigate", onNavigate)
    return () => {
      window.removeEventListener("beforeunload", onUnload)
      ways?.removeEventListener("navigate", onNavigate)
    }
  })
}
