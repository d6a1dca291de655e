import type { ReactNode } from "react"
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react"
import { isPaletteKey } from "../Keys.ts"
import { useChangedFields } from "../kept/useChangedFields.ts"
import { useHeldPage } from "../useHeldPage.ts"
import { useModal } from "./useModal.ts"
import "../../theme/dialog.css"

/** Whether who closes it by Esc, by a click beside it or by its cross, goes back or loads the page anew is asked first. */
export type Asks = "ifChanged" | "always" | "never"

const words = {
  ifChanged: {
    title: "Discard your changes?",
    text: "What you typed or chose here has not been saved.",
    stay: "Keep editing",
    leave: "Discard"
  },
  always: {
    title: "Close it for good?",
    text: "It cannot be shown again.",
    stay: "Back to it",
    leave: "Close"
  }
} as const

interface LeavingProps {
  readonly asks: keyof typeof words
  readonly onStay: () => void
  readonly onLeave: () => void
}

/** Asks whether what was typed is to be lost. The first button, which has the focus, and Esc lose nothing. */
const Leaving = ({ asks, onStay, onLeave }: LeavingProps) => {
  const dialog = useModal()
  const [title, text] = [useId(), useId()]
  // While it is open, nothing beneath can take the focus back.
  const closeThen = (next: () => void) => {
    dialog.current?.close()
    next()
  }
  // Esc opened it, which is no gesture to a browser: the next one would close what is beneath along with it.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return
      event.preventDefault()
      closeThen(onStay)
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  })
  return (
    <dialog
      className="dialog"
      role="alertdialog"
      ref={dialog}
      aria-labelledby={title}
      aria-describedby={text}
      onClose={onStay}
    >
      <div className="dialog-body">
        <h2 id={title}>{words[asks].title}</h2>
        <p id={text}>{words[asks].text}</p>
        <div className="form-dialog-end">
          <button type="button" className="button" onClick={() => closeThen(onStay)}>
            {words[asks].stay}
          </button>
          <button type="button" className="button button-danger" onClick={() => closeThen(onLeave)}>
            {words[asks].leave}
          </button>
        </div>
      </div>
    </dialog>
  )
}

interface Props {
  readonly title: string
  readonly className: string
  readonly asks?: Asks
  readonly children: ReactNode
  readonly onClose: () => void
}

/**
 * What lies over the page and holds everything else back. Esc and a click beside it close it; where that would lose what somebody typed,
 * they are asked first. A button that says what it does, such as `Cancel`, asks nothing. The focus returns to what opened it.
 */
export const Dialog = ({ title, className, asks = "ifChanged", children, onClose }: Props) => {
  const dialog = useModal("any")
  const [isAsking, ask] = useState(false)
  const lastField = useRef<HTMLElement>(null)
  const { isChanged, onFocus, ...noted } = useChangedFields()
  // A dialog that is only taken off the page, as by `Cancel`, would leave the focus nowhere.
  useLayoutEffect(() => {
    const element = dialog.current
    return () => element?.close()
  }, [dialog])
  const hasToAsk = () => asks === "always" || (asks === "ifChanged" && isChanged())
  const hold = (event: Pick<Event, "preventDefault">) => {
    if (!hasToAsk()) return
    event.preventDefault()
    ask(true)
  }
  useHeldPage(hasToAsk, () => ask(true))
  // The second Esc in a row closes a dialog whatever its page says, unless the page has taken the key. After a click beside the dialog
  // no element of it has the focus.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isOnTop = [...document.querySelectorAll("dialog:modal")].at(-1) === dialog.current
      if (event.key === "Escape" && isOnTop && !event.isComposing && !event.defaultPrevented) hold(event)
      // The palette would open over the dialog and lead away from what was typed.
      if (isPaletteKey(event)) hold(event)
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  })
  const stay = () => {
    ask(false)
    lastField.current?.focus()
  }
  return (
    <dialog
      className={className}
      ref={dialog}
      aria-label={title}
      {...noted}
      onFocus={(event) => {
        onFocus(event)
        const { target } = event
        if (target !== dialog.current && target.closest("dialog") === dialog.current) lastField.current = target
      }}
      onCancel={(event) => event.target === dialog.current && hold(event)}
      onClose={() => dialog.current?.open !== true && onClose()}
    >
      {children}
      {isAsking && asks !== "never" && <Leaving asks={asks} onStay={stay} onLeave={onClose} />}
    </dialog>
  )
}
