const withDigits = (maximumFractionDigits: number) => new Intl.NumberFormat("en-US", { maximumFractionDigits })

const [whole, oneDigit, twoDigits] = [withDigits(0), withDigits(1), withDigits(2)]
/** By the number of digits behind the point that an axis needs. */
const axisFormats = [whole, oneDigit, twoDigits, withDigits(3), withDigits(4), withDigits(5)]
const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 })

const minus = "−"

const withMinus = (text: string): string => text.replace("-", minus)

/** A number in full, with at least three significant digits; a dash where there is none. */
export const numberText = (value: number | null | undefined): string => {
  if (value === null || value === undefined) return "–"
  const size = Math.abs(value)
  const format = Number.isInteger(value) || size >= 1000 ? whole : size >= 100 ? oneDigit : twoDigits
  return withMinus(size > 0 && size < 0.01 ? value.toPrecision(3) : format.format(value))
}

/** From here on an axis has short numbers: `1.2M`. */
const leastShort = 100_000
/** What is larger, or smaller, has too many zeros to be read, and is written as a power of ten. */
const readable = { least: 1e-4, most: 1e15 }

/** A number as a power of ten, with three digits at most: `2.5e−7`. */
const powerText = (value: number): string =>
  value === 0 ? "0" : Number(value.toPrecision(3)).toExponential().replace("+", "").replaceAll("-", minus)

/** All numbers of an axis in one notation, which the smallest and the greatest of them decide; `unit` follows each. */
export const axisTexts = (values: ReadonlyArray<number>, unit = ""): ReadonlyArray<string> => {
  const sizes = values.map(Math.abs).filter((size) => size > 0)
  const [smallest, greatest] = [Math.min(...sizes), Math.max(...sizes)]
  const isPower = smallest < readable.least || greatest >= readable.most
  // Two digits of the smallest number: a quarter of a step is none.
  const digits = isPower || sizes.length === 0 ? 0 : Math.max(0, 1 - Math.floor(Math.log10(smallest)))
  const format = greatest >= leastShort ? short : (axisFormats[digits] ?? twoDigits)
  return values.map((value) => `${isPower ? powerText(value) : withMinus(format.format(value))}${unit}`)
}

const percents = [0, 1, 2].map(
  (digits) => new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })
)

/** Percent of 100 with none, one or two digits after the point, and a thin space before the sign. */
export const percentText = (percent: number, digits = 1): string =>
  `${withMinus(percents[digits]?.format(percent) ?? percent.toFixed(digits))} %`

/** A change in percent with its sign. */
export const changeText = (percent: number): string => {
  const shown = Number(percent.toFixed(1))
  return `${shown > 0 ? "+" : shown < 0 ? minus : "±"}${percentText(Math.abs(shown))}`
}

/** A number of things: `1 player`, `2,000 players`. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`

/** A time to wait, which is never told as shorter than it is. */
export const waitText = (seconds: number): string =>
  seconds < 90 ? countText(Math.ceil(seconds), "second") : countText(Math.ceil(seconds / 60), "minute")

/** Seconds as people say them. */
export const durationText = (seconds: number | null | undefined): string => {
  if (seconds === null || seconds === undefined) return "–"
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  if (seconds < 129_600) return `${oneDigit.format(seconds / 3600)} h`
  return `${oneDigit.format(seconds / 86_400)} d`
}

/** A size in bytes as people read it, in units of a thousand. */
export const bytesText = (bytes: number): string => {
  const [unit = "B", divisor = 1] =
    (
      [
        ["TB", 1e12],
        ["GB", 1e9],
        ["MB", 1e6],
        ["kB", 1e3]
      ] as const
    ).find(([, least]) => bytes >= least) ?? []
  return `${(bytes / divisor).toLocaleString("en-US", { maximumFractionDigits: bytes / divisor < 10 ? 1 : 0 })} ${unit}`
}
