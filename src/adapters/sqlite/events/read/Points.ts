import { columnName } from "../format/ColumnName.ts"
import { numbersColumn } from "./NumbersColumn.ts"
import { selectedNumbers } from "./SelectedNumbers.ts"
import type { Selection } from "./Selection.ts"

/** Positions, in the single precision in which heatmaps compare them, and units of rows, one after the other. */
export interface Points {
  readonly x: Float32Array
  readonly y: Float32Array
  readonly z: Float32Array
  readonly units: Uint32Array
}

const parts = 4

/** The points that these words hold: all x, then all y, all z and all units. */
const pointsIn = ({ buffer, byteOffset, byteLength, length }: Uint32Array): Points => {
  const count = length / parts
  const singles = (part: number) => new Float32Array(buffer, byteOffset + (part * byteLength) / parts, count)
  const units = new Uint32Array(buffer, byteOffset + (3 * byteLength) / parts, count)
  return { x: singles(0), y: singles(1), z: singles(2), units }
}

const gathered = (selection: Selection): Uint32Array => {
  const { block, rows, from, to } = selection
  const words = new Uint32Array(parts * (to - from))
  const { x, y, z, units } = pointsIn(words)
  const xs = numbersColumn(block.column(columnName.x), block.rows)
  const { columns, isPicked } = selectedNumbers(selection, [columnName.y, columnName.z])
  const [ys, zs] = columns
  const ids = block.units()
  for (let place = from; place < to; place++) {
    const row = rows === null ? place : rows[place]!
    const at = isPicked ? place - from : row
    x[place - from] = xs[row]!
    y[place - from] = ys![at]!
    z[place - from] = zs![at]!
    units[place - from] = ids[row]!
  }
  return words
}

/** The points of selected rows that all have a position. A block that keeps the rows keeps these too. */
export const pointsOf = (selection: Selection): Points => {
  const { block, key } = selection
  return pointsIn(key === undefined ? gathered(selection) : block.derived(`points ${key}`, () => gathered(selection)))
}

/** The points whose height holds; all of them where heights do not matter. */
export const pointsWithin = (points: Points, isCounted: ((y: number) => boolean) | null): Points => {
  if (isCounted === null) return points
  const { x, y, z, units } = points
  const kept = Uint32Array.from(y.keys()).filter((at) => isCounted(y[at]!))
  const singles = (values: Float32Array) => Float32Array.from(kept, (at) => values[at]!)
  return { x: singles(x), y: singles(y), z: singles(z), units: kept.map((at) => units[at]!) }
}
