import type { ReactNode } from "react"

interface NameProps {
  readonly defaultValue?: string
  readonly children?: ReactNode
}

export const NameField = ({ defaultValue = "", children }: NameProps) => (
  <label className="field">
    Name
    <input name="name" required maxLength={100} autoComplete="off" defaultValue={defaultValue} />
    {children}
  </label>
)

interface JsonProps {
  readonly label: string
  readonly name: string
  readonly defaultValue?: string
  readonly placeholder?: string
  readonly children: ReactNode
}

/** A text of JSON in a form. */
export const JsonField = ({ label, name, defaultValue = "", placeholder = "", children }: JsonProps) => (
  <label className="field">
    {label}
    <textarea
      className="json"
      name={name}
      rows={12}
      spellCheck={false}
      placeholder={placeholder}
      defaultValue={defaultValue}
    />
    {children}
  </label>
)

/** What was typed into a field, without spaces around it. */
export const typedText = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === "string" ? value.trim() : ""
}
