import { useEffect, useRef } from "react"

/** The ref of a dialog that holds the page back from the beginning. With `closedBy: "any"` a click beside it closes it, as Esc always does. */
export const useModal = (closedBy?: "any") => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (element === null || element.open) return
    if (closedBy !== undefined) element.setAttribute("closedby", closedBy)
    element.showModal()
  }, [closedBy])
  return dialog
}
