import type { RowBlock } from "../../../../src/adapters/sqlite/events/file/RowBlock.ts"

const doubles = () => new Float64Array(0)
const ids = () => new Uint32Array(0)

/** A block of a row each millisecond, with what the test says of it and nothing else. */
export const blockOf = (own: Partial<RowBlock> & { readonly rows: number }): RowBlock => ({
  type: "played",
  firstTimestamp: 0,
  lastTimestamp: own.rows - 1,
  columnNames: [],
  times: () => Float64Array.from({ length: own.rows }, (_, row) => row),
  rowAt: (instant) => instant,
  sequences: doubles,
  units: ids,
  sessions: ids,
  column: () => undefined,
  columnAt: () => undefined,
  sessionsAt: doubles,
  timesAt: doubles,
  sequencesAt: doubles,
  unitsAt: doubles,
  rowsOfUnit: () => [],
  derived: (_, make) => make(),
  derivedNumbers: (_, make) => make(),
  ...own
})
