/** The environment of rows that stand for removed markers. None has this number. */
const nobody = 0

const start = `{"environment":${nobody},`

/**
 * A row of the environment "nobody". The table without months gets one, so that a block of which nothing else is left still uses up its
 * token.
 */
export const nobodysLine = `{"environment":${nobody}}`

/** Whether a line of the log stands for a removed marker. */
export const isRemoved = (line: string): boolean => line.startsWith(start)

interface Instant {
  readonly at: number
}

const instantOf = (line: string): Instant => JSON.parse(line)

/** The first instant of the UTC month, which is a partition of the table. */
const monthOf = (at: number): number => {
  const day = new Date(at)
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth())
}

/**
 * The line that replaces the line of a removed marker: a row of the environment "nobody" in the same month. The block keeps its number of
 * rows and its partitions. ClickHouse knows a block by its token in each partition, so that it refuses the block as it was before,
 * whenever that arrives.
 */
const removedLine = (line: string): string => `${start}"at":${monthOf(instantOf(line).at)}}`

/** The lines of a text of the log, each of which ends with a line feed. */
export function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf("\n", from)
    const to = end < 0 ? text.length : end
    if (to > from) yield text.slice(from, to)
    from = to + 1
  }
}

const textOf = (payload: Uint8Array): string =>
  Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString()

const changed = (payload: Uint8Array, isGone: (line: string) => boolean): Uint8Array => {
  let text = ""
  for (const line of linesOf(textOf(payload)))
    text += `${isGone(line) && !isRemoved(line) ? removedLine(line) : line}\n`
  return Buffer.from(text)
}

/** The text that the lines of a unit's markers contain, and no other line (see MarkerLines.ts). */
export const unitPart = (unitId: string): string => `"unit":${JSON.stringify(unitId.toWellFormed())},"hasUnit":true`

/** The payload without the markers of a unit. */
export const withoutUnit = (payload: Uint8Array, unitId: string): Uint8Array => {
  const part = unitPart(unitId)
  return changed(payload, (line) => line.includes(part))
}

/** The payload without any marker. */
export const withoutMarkers = (payload: Uint8Array): Uint8Array => changed(payload, () => true)
