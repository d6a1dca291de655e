import type { HeatmapAnswer, HeatmapCell } from "../../../../domain/analytics/heatmap/HeatmapPlan.ts"
import type { ReaderReply } from "./Protocol.ts"

const numbersPerCell = 4

const isHeatmap = (answer: unknown): answer is HeatmapAnswer =>
  typeof answer === "object" && answer !== null && "cells" in answer && "insideBounds" in answer

const packedCells = (cells: ReadonlyArray<HeatmapCell>): Uint32Array => {
  const packed = new Uint32Array(cells.length * numbersPerCell)
  let at = 0
  for (const { column, row, count, units } of cells) {
    packed[at++] = column
    packed[at++] = row
    packed[at++] = count
    packed[at++] = units
  }
  return packed
}

const cellAt = (packed: Uint32Array, at: number): HeatmapCell => {
  const first = at * numbersPerCell
  return { column: packed[first]!, row: packed[first + 1]!, count: packed[first + 2]!, units: packed[first + 3]! }
}

/** The reply as it is sent to another thread: copying thousands of cells one by one takes longer than counting them. */
export const packed = (reply: ReaderReply<unknown>): ReaderReply<unknown> =>
  reply.type === "answer" && isHeatmap(reply.answer)
    ? { ...reply, answer: { ...reply.answer, cells: packedCells(reply.answer.cells) } }
    : reply

interface Received {
  readonly answer?: { cells?: unknown } | null
}

/** Puts the cells back into a reply that `packed` has made, in place. */
export const unpack = ({ answer }: Received): void => {
  if (typeof answer !== "object" || answer === null || !(answer.cells instanceof Uint32Array)) return
  const { cells } = answer
  answer.cells = Array.from({ length: cells.length / numbersPerCell }, (_, at) => cellAt(cells, at))
}
