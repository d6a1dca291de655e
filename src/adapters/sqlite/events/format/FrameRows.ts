import { columnName } from "./ColumnName.ts"
import type { ColumnCells } from "./ColumnCells.ts"
import type { NumberOf, Numbering, SegmentBuilder } from "./SegmentBuilder.ts"
import { FrameDecoder, type TextOf } from "./FrameDecoder.ts"
import type { TailPart } from "./TailBatch.ts"

/** The builder and the columns that receive the values of one shape. */
interface Target {
  readonly type: string
  readonly builder: SegmentBuilder
  readonly columns: ReadonlyArray<ColumnCells>
  /** The columns of positions; null until the shape has one: they come after the columns of values. */
  axes: Axes | null
}

type Axes = readonly [x: ColumnCells, y: ColumnCells, z: ColumnCells]

const axesOf = (builder: SegmentBuilder): Axes => [
  builder.cells(columnName.x),
  builder.cells(columnName.y),
  builder.cells(columnName.z)
]

/** Gives numbers to the frame's texts, asking `idOf` once for each; reference 0 (none) becomes 0. */
const numbered = (decoder: FrameDecoder, idOf: NumberOf): ((reference: number) => number) => {
  const ids = new Int32Array(decoder.textCount + 1).fill(-1)
  ids[0] = 0
  return (reference) => {
    const known = ids[reference]!
    return known >= 0 ? known : (ids[reference] = decoder.textAt(reference - 1, idOf))
  }
}

/**
 * Adds a part's events, duplicates left out, to the builder of their type, straight from the bytes: objects would be
 * slow to collect. `textOf` decodes the texts of values.
 */
export const addPart = (
  part: TailPart,
  builderOf: (type: string) => SegmentBuilder,
  numbering: Numbering,
  textOf?: TextOf
): void => {
  const decoder = new FrameDecoder(part.frame, textOf)
  const targets = decoder.shapes.map(({ type, argumentNames, propertyNames }): Target => {
    const builder = builderOf(type)
    const names = [...argumentNames.map(columnName.argument), ...propertyNames.map(columnName.property)]
    return { type, builder, columns: names.map((name) => builder.cells(name)), axes: null }
  })
  const unitOf = numbered(decoder, numbering.unit)
  const sessionOf = numbered(decoder, numbering.session)
  const skipped = new Set(part.skipped)
  let sequence = part.firstSequence
  for (let index = 0; index < decoder.header.count; index++) {
    decoder.next()
    const target = targets[decoder.shape]!
    const { type, builder, columns } = target
    if (skipped.has(index)) {
      for (let column = 0; column < columns.length; column++) decoder.value()
      continue
    }
    const row = builder.add(decoder.timestamp, sequence++, unitOf(decoder.unit), sessionOf(decoder.session))
    if (builder.type === null) builder.set(columnName.type, row, type)
    if (decoder.server !== 0) builder.set(columnName.server, row, decoder.text(decoder.server - 1))
    if (decoder.clamped) builder.set(columnName.clamped, row, true)
    if (decoder.hasPosition) {
      const [x, y, z] = (target.axes ??= axesOf(builder))
      x.addNumber(row, decoder.x)
      y.addNumber(row, decoder.y)
      z.addNumber(row, decoder.z)
    }
    for (let column = 0; column < columns.length; column++) decoder.valueInto(columns[column]!, row)
  }
}
