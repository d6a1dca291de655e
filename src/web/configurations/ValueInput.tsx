import { useId, useState } from "react"
import type { Json } from "../../domain/configuration/Document.ts"
import { equals } from "../../domain/configuration/Document.ts"
import { readValue } from "./Draft.ts"

interface Props {
  readonly label: string
  readonly value: Json
  readonly isDisabled: boolean
  readonly onChange: (value: Json) => void
}

const numberIn = (text: string): number | null => {
  const number = text.trim() === "" ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : null
}

/**
 * A number is taken once it is one. What is none, such as `4,99`, stays in the field and says so, and the value is the one from before it
 * was typed: its beginning, 4, is a number that nobody meant.
 */
const NumberInput = ({ label, value, isDisabled, onChange }: Props & { readonly value: number }) => {
  const [text, setText] = useState(String(value))
  const [begun, begin] = useState(value)
  const [given, give] = useState(value)
  const problem = useId()
  if (given !== value) {
    give(value)
    begin(value)
    setText(String(value))
  }
  const isNumber = numberIn(text) !== null
  return (
    <span className="key-value">
      <input
        className="input"
        inputMode="decimal"
        aria-label={label}
        aria-invalid={!isNumber}
        aria-describedby={isNumber ? undefined : problem}
        disabled={isDisabled}
        value={text}
        onFocus={() => begin(value)}
        onChange={({ currentTarget }) => {
          const next = numberIn(currentTarget.value) ?? begun
          setText(currentTarget.value)
          give(next)
          onChange(next)
        }}
      />
      {!isNumber && (
        <small className="form-error" id={problem}>
          Type a number, such as 4.99: it stays {begun} so far.
        </small>
      )}
    </span>
  )
}

/** Lists and null, as JSON, taken as numbers are. */
const JsonInput = ({
  label,
  value,
  isDisabled,
  onChange,
  onTyping
}: Props & { readonly onTyping: (isTyping: boolean) => void }) => {
  const [text, setText] = useState(JSON.stringify(value))
  const [begun, begin] = useState(value)
  const [given, give] = useState(value)
  if (!equals(given, value)) {
    give(value)
    begin(value)
    setText(JSON.stringify(value))
  }
  const problem = useId()
  const read = readValue(text)
  const message = "message" in read ? read.message : null
  return (
    <span className="key-value">
      <input
        className="input json"
        aria-label={`${label}, as JSON`}
        aria-invalid={message !== null}
        aria-describedby={message === null ? undefined : problem}
        disabled={isDisabled}
        spellCheck={false}
        value={text}
        onFocus={() => {
          begin(value)
          onTyping(true)
        }}
        onBlur={() => onTyping(false)}
        onChange={({ currentTarget }) => {
          const typed = readValue(currentTarget.value)
          const next = "value" in typed ? typed.value : begun
          setText(currentTarget.value)
          give(next)
          onChange(next)
        }}
      />
      {message !== null && (
        <small className="form-error" id={problem}>
          This is no JSON yet ({message}): the value stays as it was so far.
        </small>
      )}
    </span>
  )
}

/** The field of one value, by its type. */
export const ValueInput = (props: Props) => {
  const { label, value, isDisabled, onChange } = props
  // What is typed as JSON may become a number on the way to another one: its field stays until it is left.
  const [isJson, typeJson] = useState(false)
  if (isJson) return <JsonInput {...props} onTyping={typeJson} />
  if (typeof value === "number") return <NumberInput {...props} value={value} />
  if (typeof value === "boolean") {
    return (
      <label className="check">
        <input
          type="checkbox"
          aria-label={label}
          checked={value}
          disabled={isDisabled}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        {value ? "on" : "off"}
      </label>
    )
  }
  if (typeof value === "string") {
    return (
      <input
        className="input"
        aria-label={label}
        disabled={isDisabled}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  }
  return <JsonInput {...props} onTyping={typeJson} />
}
