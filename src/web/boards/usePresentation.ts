import { useCallback, useEffect, useRef, useState } from "react"
import { chooseTheme, storedTheme } from "../theme/Theme.ts"

/** Shows an element alone, dark and on the whole screen where the browser allows it. Esc ends it. */
export const usePresentation = () => {
  const place = useRef<HTMLDivElement>(null)
  const [isPresented, setPresented] = useState(false)
  useEffect(() => {
    if (!isPresented) return
    document.documentElement.dataset["theme"] = "dark"
    const onChange = () => {
      if (document.fullscreenElement === null) setPresented(false)
    }
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === "Escape" && !defaultPrevented) setPresented(false)
    }
    document.addEventListener("fullscreenchange", onChange)
    document.addEventListener("keydown", onKey)
    return () => {
      document.removeEventListener("fullscreenchange", onChange)
      document.removeEventListener("keydown", onKey)
      chooseTheme(storedTheme())
      if (document.fullscreenElement !== null) void document.exitFullscreen()
    }
  }, [isPresented])
  const toggle = useCallback(() => {
    setPresented((before) => !before)
    // A browser that allows no full screen still shows the board alone.
    if (document.fullscreenElement === null) void document.documentElement.requestFullscreen().catch(() => undefined)
  }, [])
  return [place, isPresented, toggle] as const
}
