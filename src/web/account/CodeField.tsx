import { useEffect, useRef, useState } from "react"
import { isCodeWanted } from "./Words.ts"

/** The code that a form holds, where it asks for one. */
export const codeIn = (form: FormData): { readonly code?: string } => {
  const code = form.get("code")
  return typeof code === "string" ? { code } : {}
}

/** Whether a sign-in asks for a code, and what a refused one tells. Once it has asked, it goes on asking. */
export const useCodeStep = (): readonly [asksCode: boolean, onRefused: (error: Error) => void] => {
  const [asksCode, setAsksCode] = useState(false)
  return [asksCode, (error) => setAsksCode((asked) => asked || isCodeWanted(error))]
}

interface Props {
  /** What the field takes. */
  readonly help?: string
  /** Whether the cursor is in it as soon as it is there. */
  readonly isFirst?: boolean
}

const eitherCode = "The six digits that your authenticator app shows now, or one of your recovery codes."

/** Takes a code of the authenticator app, or a recovery code. */
export const CodeField = ({ help = eitherCode, isFirst = true }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFirst) input.current?.focus()
  }, [isFirst])
  return (
    <label className="field">
      Code
      <input
        ref={input}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        required
        maxLength={64}
      />
      <small>{help}</small>
    </label>
  )
}
