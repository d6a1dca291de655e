import { useState } from "react"
import type { Json } from "../../domain/configuration/Document.ts"
import { equals } from "../../domain/configuration/Document.ts"
import { readValue } from "./Draft.ts"

interface Props {
  readonly label: string
  readonly value: Json
  readonly isDisabled: boolean
  readonly onChange: (value: Json) => void
}

/** A number is taken once it is one; what is half typed stays in the field and says so. */
const NumberInput = ({ label, value, isDisabled, onChange }: Props & { readonly value: number }) => {
  const [text, setText] = useState(String(value))
  const typed = text.trim() === "" ? Number.NaN : Number(text)
  const isNumber = Number.isFinite(typed)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    if (typed !== value) setText(String(value))
  }
  return (
    <input
      className="input"
      inputMode="decimal"
      aria-label={label}
      aria-invalid={!isNumber}
      title={isNumber ? undefined : "Type a number"}
      disabled={isDisabled}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        const next = currentTarget.value.trim() === "" ? Number.NaN : Number(currentTarget.value)
        if (Number.isFinite(next)) onChange(next)
      }}
    />
  )
}

/** Lists and null, as JSON. */
const JsonInput = ({ label, value, isDisabled, onChange }: Props) => {
  const [text, setText] = useState(JSON.stringify(value))
  const read = readValue(text)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    if (!("value" in read) || !equals(read.value, value)) setText(JSON.stringify(value))
  }
  return (
    <input
      className="input json"
      aria-label={`${label}, as JSON`}
      aria-invalid={"message" in read}
      title={"message" in read ? read.message : undefined}
      disabled={isDisabled}
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        const next = readValue(currentTarget.value)
        if ("value" in next) onChange(next.value)
      }}
    />
  )
}

/** The field of one value, by its type. */
export const ValueInput = (props: Props) => {
  const { label, value, isDisabled, onChange } = props
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
  return <JsonInput {...props} />
}
