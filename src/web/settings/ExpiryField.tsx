import { fieldText } from "../text/Form.ts"

const expiries = [
  ["never", "Never"],
  ["30d", "In 30 days"],
  ["60d", "In 60 days"],
  ["90d", "In 90 days"],
  ["1y", "In a year"]
] as const

/** What was chosen. */
export const expiryOf = (form: FormData): (typeof expiries)[number][0] =>
  expiries.find(([value]) => value === fieldText(form, "expiresIn"))?.[0] ?? "never"

/** When a key ends by itself. */
export const ExpiryField = () => (
  <label className="field">
    Ends
    <select name="expiresIn" className="input">
      {expiries.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  </label>
)
