import type { AlertCondition, Look, WindowStep } from "./AlertJudgement.ts"
import type { Variation } from "./Prediction.ts"

/** A number as people read it: shares in percent. */
const told = (value: number, variation: Variation): string =>
  variation === "share"
    ? `${(value * 100).toLocaleString("en-US", { maximumFractionDigits: 1 })} %`
    : value.toLocaleString("en-US", { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 })

const change = (value: number, expected: number): string => {
  // Nothing is a percentage of nothing.
  if (expected === 0) return value === 0 ? "as much as" : value < 0 ? "below" : "above"
  const percent = (value / expected - 1) * 100
  return `${Math.abs(percent).toLocaleString("en-US", { maximumFractionDigits: 1 })} % ${percent < 0 ? "below" : "above"}`
}

const dateName = (at: number, zone: string): string => new Date(at).toLocaleDateString("en-CA", { timeZone: zone })

/** The minute of an instant (epoch ms), such as `2026-03-01 14:05 (Europe/Berlin)`. */
export const minuteName = (at: number, zone: string): string => {
  const time = new Date(at).toLocaleTimeString("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" })
  return `${dateName(at, zone)} ${time} (${zone})`
}

/** When a window began, in the zone in which it was measured. */
const windowName = (from: number, step: WindowStep, zone: string): string =>
  step === "day" ? dateName(from, zone) : `the hour from ${minuteName(from, zone)}`

interface Window {
  readonly from: number
  readonly step: WindowStep
  readonly zone: string
  readonly variation: Variation
}

const compared = (
  { value, expected, low, high, of }: Look,
  variation: Variation,
  condition: AlertCondition
): string => {
  if (value === null) return "nothing was measured"
  const shown = told(value, variation) + (variation === "share" && of !== null ? ` of ${told(of, "count")}` : "")
  if (condition.kind === "threshold") {
    const { above, below } = condition
    const limits = [
      ...(above === null ? [] : [`at most ${told(above, variation)}`]),
      ...(below === null ? [] : [`at least ${told(below, variation)}`])
    ]
    return `${shown}, and ${limits.join(" and ")} is allowed`
  }
  if (expected === null || low === null || high === null)
    return `${shown}; too little is known of past weeks to compare`
  const interval = `${told(low, variation)} to ${told(high, variation)}`
  return `${shown}, ${change(value, expected)} the ${told(expected, variation)} that the last ${condition.weeks} weeks let expect (${interval} is usual)`
}

/** What a look at a window says, as a sentence. */
export const lookText = (look: Look, { from, step, zone, variation }: Window, condition: AlertCondition): string => {
  const said = `In ${windowName(from, step, zone)}: ${compared(look, variation, condition)}.`
  return look.verdict === "unclear" && look.expected !== null ? `${said} That is too few to judge.` : said
}
