import type { KeyboardEvent } from "react"
import { useEffect, useRef, useState } from "react"
import { useDenied } from "./useDenied.tsx"

interface Props {
  /** What the text is: `Description of Login`. */
  readonly label: string
  readonly value: string
  /** What stands there while there is no text. */
  readonly placeholder: string
  readonly longest: number
  /** Why it cannot be changed; null where it can. */
  readonly denied: string | null
  /** Rejects where the text could not be saved. */
  readonly onSave: (text: string) => Promise<unknown>
}

/**
 * A text that is edited where it stands: Enter or leaving the field saves it, Esc leaves it as it was. One that could not be saved stays,
 * with the reason, and is there when the field is opened again.
 */
export const InlineText = ({ label, value, placeholder, longest, denied, onSave }: Props) => {
  const [draft, setDraft] = useState<string | null>(null)
  const [saved, setSaved] = useState<string | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { reach, press, describedBy, why } = useDenied(denied)
  const button = useRef<HTMLButtonElement>(null)
  const wasEdited = useRef(false)
  const sent = useRef(0)
  const isEditing = draft !== null
  useEffect(() => {
    if (!isEditing && wasEdited.current) button.current?.focus()
    wasEdited.current = false
  }, [isEditing])
  const present = saved ?? value
  const shown = refused ?? present
  const leave = () => {
    setDraft(null)
    setRefused(null)
    setProblem(null)
  }
  const finish = () => {
    if (draft === null) return
    const text = draft.trim()
    leave()
    if (text === present) return
    setSaved(text)
    const turn = ++sent.current
    onSave(text).then(
      () => turn === sent.current && setSaved(null),
      (error: unknown) => {
        // What was typed since stands in its place.
        if (turn !== sent.current) return
        setSaved(null)
        setRefused(text)
        setProblem(error instanceof Error ? error.message : "It could not be saved.")
      }
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== "Escape") return
    event.preventDefault()
    event.stopPropagation()
    wasEdited.current = true
    if (event.key === "Enter") finish()
    else leave()
  }
  if (isEditing) {
    return (
      <input
        className="input inline-input"
        value={draft}
        maxLength={longest}
        aria-label={label}
        autoComplete="off"
        ref={(field) => {
          if (field !== null && document.activeElement !== field) field.focus()
        }}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={finish}
        onKeyDown={onKeyDown}
      />
    )
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={shown === "" ? "inline-text inline-empty" : "inline-text"}
        aria-disabled={denied === null ? undefined : "true"}
        aria-describedby={describedBy}
        onClick={({ currentTarget }) => {
          press(currentTarget)
          if (denied === null) setDraft(shown)
        }}
        {...reach}
      >
        <span className="unseen">{label}: </span>
        {shown === "" ? placeholder : shown}
      </button>
      {why}
      {problem !== null && (
        <small className="form-error" role="alert">
          {problem}
        </small>
      )}
    </>
  )
}
