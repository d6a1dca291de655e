import { useEffect, useState } from "react"
import { Icon } from "./Icon.tsx"

/** Milliseconds for which the button says that it has copied. */
const thanks = 1600

/** Puts the text on the clipboard and says so. */
export const CopyButton = ({ text, label = "Copy" }: { readonly text: string; readonly label?: string }) => {
  const [outcome, setOutcome] = useState<"copied" | "refused" | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = setTimeout(() => setOutcome(null), thanks)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () => {
    // Pages without https have no clipboard.
    const writing = window.isSecureContext ? navigator.clipboard.writeText(text) : Promise.reject(new Error("insecure"))
    writing.then(
      () => setOutcome("copied"),
      () => setOutcome("refused")
    )
  }
  return (
    <button type="button" className="button button-small" onClick={copy}>
      <Icon name={outcome === "copied" ? "check" : "copy"} size={14} />
      <span aria-live="polite">
        {outcome === "copied" ? "Copied" : outcome === "refused" ? "Select and copy by hand" : label}
      </span>
    </button>
  )
}
