import { useEffect, useMemo, useState } from "react"
import { createPortal } from "react-dom"
import { useLocation } from "wouter"
import { chooseTheme, isDark } from "../theme/Theme.ts"
import { Icon } from "../ui/Icon.tsx"
import { loadable } from "../ui/Loadable.tsx"
import { pages } from "./PageList.ts"
import { useProject } from "./Project.tsx"
import type { Shortcut } from "./ShortcutKeys.ts"
import { listenToKeys, useShortcuts } from "./Shortcuts.ts"

const Palette = loadable(() => import("../palette/Palette.tsx").then((chunk) => ({ default: chunk.Palette })))
const ShortcutList = loadable(() =>
  import("../palette/ShortcutList.tsx").then((chunk) => ({ default: chunk.ShortcutList }))
)

const none = () => null

const Toasts = loadable(
  () => import("../background/Toasts.tsx").then((chunk) => ({ default: chunk.Toasts })),
  none,
  none
)

/** Puts the cursor into the page's own search, where it has one. */
const focusSearch = (): boolean => {
  const field = document.querySelector<HTMLInputElement>("main input[type=search]")
  field?.focus()
  return field !== null
}

const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ K" : "Ctrl K"

/**
 * What opens over every page: the palette of commands and the list of shortcuts. Draws the button that opens the palette. What it opens
 * stands beside the rail, which a narrow window does not show: a dialog in there would hold the page back unseen.
 */
export const Overlays = () => {
  const { applicationId, environment } = useProject()
  const [, navigate] = useLocation()
  const [shown, show] = useState<"palette" | "shortcuts" | null>(null)
  useEffect(() => listenToKeys(() => show("palette")), [])
  const shortcuts = useMemo(
    (): ReadonlyArray<Shortcut> => [
      {
        keys: "/",
        words: "Search",
        run: () => {
          if (!focusSearch()) show("palette")
        }
      },
      { keys: "d", words: "Dark or light", run: () => chooseTheme(isDark() ? "light" : "dark") },
      { keys: "?", words: "All shortcuts", run: () => show("shortcuts") },
      ...pages
        .flatMap(({ items }) => items)
        .flatMap(([path, , name, key]) =>
          key === undefined
            ? []
            : [
                {
                  keys: `g ${key}`,
                  words: `Go to ${name}`,
                  run: () => navigate(`/p/${applicationId}/${environment.alias}/${path}`)
                }
              ]
        )
    ],
    [applicationId, environment.alias, navigate]
  )
  useShortcuts(shortcuts)
  const close = () => show(null)
  return (
    <>
      <button
        type="button"
        className="palette-opener"
        onClick={() => show("palette")}
        onPointerEnter={() => void Palette.load()}
        onFocus={() => void Palette.load()}
      >
        <Icon name="search" size={14} />
        <span>Go to …</span>
        <kbd>{commandKey}</kbd>
      </button>
      {createPortal(
        <>
          <Toasts />
          {shown === "palette" && <Palette onClose={close} onShortcuts={() => show("shortcuts")} />}
          {shown === "shortcuts" && <ShortcutList onClose={close} />}
        </>,
        document.body
      )}
    </>
  )
}
