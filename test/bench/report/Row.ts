import { median, shown } from "./Numbers.ts"

/** `below` and `atMost` differ only where the figure is the very number. */
export interface Aim {
  readonly type: "atLeast" | "atMost" | "below"
  readonly value: number
}

export const atLeast = (value: number): Aim => ({ type: "atLeast", value })
export const atMost = (value: number): Aim => ({ type: "atMost", value })
export const below = (value: number): Aim => ({ type: "below", value })

/** What is measured, and what the product sets itself. */
export interface Subject {
  readonly what: string
  /** What the figure is a ratio to; empty where it stands for itself. */
  readonly peer: string
  /** Of figures that stand for themselves; empty for ratios. */
  readonly unit: string
  readonly aim: Aim | null
}

/** A line of the report. */
export interface Row extends Subject {
  /** Where the same is measured again, the new row takes the place of the old one. */
  readonly id: string
  readonly value: number
  /** The figure of each round alone, which shows how far they are apart. */
  readonly rounds: ReadonlyArray<number>
  /** What a reader must know beside the figure. */
  readonly note: string
}

/** A table of details below the rows. */
export interface Details {
  readonly title: string
  readonly heads: ReadonlyArray<string>
  readonly lines: ReadonlyArray<ReadonlyArray<string>>
}

/** What a benchmark hands over at once. */
export interface Handed {
  readonly rows: ReadonlyArray<Row>
  readonly details: ReadonlyArray<Details>
}

/** What holds where a benchmark does not say otherwise. */
const usual = { peer: "", unit: "", aim: null, note: "" }

/** The row of a figure that was measured in rounds: their median, unless another value is given. */
export const row = (
  id: string,
  subject: Pick<Subject, "what"> & Partial<Subject>,
  rounds: ReadonlyArray<number>,
  more: Partial<Pick<Row, "value" | "note">> = {}
): Row => ({ ...usual, ...subject, id, rounds, value: median(rounds), ...more })

/** Whether the aim is met; null where there is none. */
export const isMet = ({ value, aim }: Pick<Row, "value" | "aim">): boolean | null => {
  if (aim === null) return null
  // Files of JSON have null for what is not a number.
  if (!Number.isFinite(value)) return false
  if (aim.type === "atLeast") return value >= aim.value
  return aim.type === "atMost" ? value <= aim.value : value < aim.value
}

const signs = { atLeast: "≥", atMost: "≤", below: "<" } as const

const withUnit = (text: string, unit: string): string => (unit === "" ? text : `${text} ${unit}`)

export const aimText = ({ aim, unit }: Pick<Subject, "aim" | "unit">): string =>
  aim === null ? "" : withUnit(`${signs[aim.type]} ${shown(aim.value)}`, unit)

export const valueText = ({ value, unit }: Pick<Row, "value" | "unit">): string => withUnit(shown(value), unit)

export const metText = (each: Pick<Row, "value" | "aim">): string => {
  const met = isMet(each)
  return met === null ? "" : met ? "yes" : "**no**"
}

/** The least and the greatest round, and how many there were. */
export const spreadText = ({ rounds }: Pick<Row, "rounds">): string =>
  rounds.length < 2 ? "one" : `${shown(Math.min(...rounds))} to ${shown(Math.max(...rounds))}, ${rounds.length}`
