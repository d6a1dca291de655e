import { Picker } from "../ui/Picker.tsx"
import type { RuleSpan, RuleWindow } from "./Rules.ts"
import { spanUnits } from "./Rules.ts"

interface NumberProps {
  /** What is counted, for who cannot see where the field stands. */
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly step?: "1" | "any"
}

/** A number within a sentence. */
export const SentenceNumber = ({ label, value, onChange, step = "any" }: NumberProps) => (
  <input
    className="input sentence-number"
    type="number"
    inputMode="decimal"
    step={step}
    value={value}
    aria-label={label}
    onChange={(event) => onChange(event.target.value)}
  />
)

interface SpanProps {
  readonly label: string
  readonly span: RuleSpan
  readonly onChange: (span: RuleSpan) => void
}

/** A length of time: a number and its unit. */
export const SpanFields = ({ label, span, onChange }: SpanProps) => (
  <>
    <SentenceNumber label={label} step="1" value={span.amount} onChange={(amount) => onChange({ ...span, amount })} />
    <Picker
      label={`${label}, unit`}
      tone="quiet"
      value={span.unit}
      choices={spanUnits.map((unit) => ({ value: unit, label: span.amount === "1" ? unit : `${unit}s` }))}
      onChoose={(chosen) => onChange({ ...span, unit: spanUnits.find((unit) => unit === chosen) ?? span.unit })}
    />
  </>
)

const windowKinds = [
  { value: "last", label: "in the last" },
  { value: "dates", label: "between two days" },
  { value: "firstSeen", label: "in days since first seen", help: "day 0 is the day of a player's first marker" }
] as const

const freshWindow = (kind: string | undefined): RuleWindow =>
  kind === "dates" || kind === "firstSeen"
    ? { kind, from: "", to: "" }
    : { kind: "last", span: { amount: "7", unit: "day" } }

interface WindowProps {
  readonly window: RuleWindow
  readonly onChange: (window: RuleWindow) => void
}

/** The time that a condition looks at. */
export const WindowFields = ({ window, onChange }: WindowProps) => (
  <>
    <Picker
      label="Time"
      tone="quiet"
      value={window.kind}
      choices={windowKinds}
      onChoose={(kind) => onChange(freshWindow(kind))}
    />
    {window.kind === "last" && (
      <SpanFields label="Length of time" span={window.span} onChange={(span) => onChange({ ...window, span })} />
    )}
    {window.kind === "dates" && (
      <>
        <input
          className="input sentence-date"
          type="date"
          aria-label="First day"
          value={window.from}
          onChange={(event) => onChange({ ...window, from: event.target.value })}
        />
        <span>and</span>
        <input
          className="input sentence-date"
          type="date"
          aria-label="Last day"
          value={window.to}
          onChange={(event) => onChange({ ...window, to: event.target.value })}
        />
      </>
    )}
    {window.kind === "firstSeen" && (
      <>
        <SentenceNumber
          label="First day"
          step="1"
          value={window.from}
          onChange={(from) => onChange({ ...window, from })}
        />
        <span>to</span>
        <SentenceNumber label="Last day" step="1" value={window.to} onChange={(to) => onChange({ ...window, to })} />
      </>
    )}
  </>
)
