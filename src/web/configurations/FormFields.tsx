import type { ComponentProps } from "react"

/** The name of a configuration. Its children explain it. */
export const NameField = ({ children, ...input }: ComponentProps<"input">) => (
  <label className="field">
    Name
    <input name="name" required maxLength={100} autoComplete="off" {...input} />
    {children}
  </label>
)

interface JsonProps extends ComponentProps<"textarea"> {
  readonly label: string
}

/** A text of JSON in a form. Its children explain it. */
export const JsonField = ({ label, children, ...area }: JsonProps) => (
  <label className="field">
    {label}
    <textarea className="json" rows={12} spellCheck={false} {...area} />
    {children}
  </label>
)

/** What was typed into a field, without spaces around it. */
export const typedText = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === "string" ? value.trim() : ""
}
