import type { DrawnSeries } from "./DrawnSeries.ts"
import { numberText } from "../text/Numbers.ts"
import type { Frame } from "./Scale.ts"
import { bucketX, lonely, pathOf, valueY } from "./Scale.ts"

export interface MarksProps {
  readonly frame: Frame
  readonly ticks: ReadonlyArray<number>
  readonly series: ReadonlyArray<DrawnSeries>
  readonly complete: ReadonlyArray<boolean>
  /** Whether bars of a bucket stand upon each other: their values are parts of one whole. */
  readonly isStacked: boolean
}

/** The area between two lines, a piece for every run of buckets that have both. */
const bandPath = (
  { low, high }: NonNullable<DrawnSeries["band"]>,
  place: (index: number, value: number) => readonly [x: number, y: number]
): string => {
  const isThere = (index: number) => typeof low[index] === "number" && typeof high[index] === "number"
  let path = ""
  for (let from = 0; from < low.length; from++) {
    if (!isThere(from)) continue
    let to = from
    while (isThere(to + 1)) to++
    const lower: Array<string> = []
    for (let index = to; index >= from; index--) {
      const [x, y] = place(index, low[index] ?? 0)
      lower.push(`L${x.toFixed(1)} ${y.toFixed(1)}`)
    }
    path += `${pathOf(high, place, from, to)}${lower.join("")}Z`
    from = to
  }
  return path
}

/**
 * Lines: buckets that are not over are dashed and end in a hollow dot; the period before is pale and ends with the last whole bucket; a single
 * series has an area. A value with none beside it is a dot.
 */
export const LineMarks = ({ frame, ticks, series, complete }: MarksProps) => {
  const count = complete.length
  const place = (index: number, value: number) => [bucketX(frame, index, count), valueY(frame, value, ticks)] as const
  const open = complete.indexOf(false)
  const lastOver = open === -1 ? count - 1 : open - 1
  const only = series.length === 1 && series[0]?.band === undefined ? series[0] : undefined
  const base = valueY(frame, 0, ticks)
  const dots = (values: ReadonlyArray<number | null>, name: string, end: number) =>
    lonely(values).map((index) => {
      const [x, y] = place(index, values[index] ?? 0)
      return index < end ? <circle key={index} className={name} cx={x} cy={y} r="3.5" /> : null
    })
  const area = only === undefined ? "" : pathOf(only.values, place, 0, lastOver)
  return (
    <g>
      {area !== "" && only?.values.slice(0, lastOver + 1).every((value) => value !== null) === true && (
        <path
          className={`chart-area series-${only.color ?? "other"}`}
          d={`${area}L${bucketX(frame, lastOver, count).toFixed(1)} ${base}L${bucketX(frame, 0, count).toFixed(1)} ${base}Z`}
        />
      )}
      {series.map(({ key, color, band }) =>
        band === undefined ? null : (
          <path key={key} className={`chart-interval series-${color ?? "other"}`} d={bandPath(band, place)} />
        )
      )}
      {series.map(({ key, color, before }) =>
        before === null ? null : (
          <g key={key} className={`series-${color ?? "other"}`}>
            <path className="chart-line chart-before" d={pathOf(before.values, place, 0, lastOver)} />
            {dots(before.values, "chart-dot chart-before", lastOver + 1)}
          </g>
        )
      )}
      {series.map(({ key, color, values }) => {
        const name = `series-${color ?? "other"}`
        const last = values[count - 1]
        return (
          <g key={key}>
            <path className={`chart-line ${name}`} d={pathOf(values, place, 0, lastOver)} />
            {open !== -1 && (
              <path className={`chart-line chart-open ${name}`} d={pathOf(values, place, lastOver, count - 1)} />
            )}
            {open !== -1 && last !== null && last !== undefined && (
              <circle
                className={`chart-hollow ${name}`}
                cx={place(count - 1, last)[0]}
                cy={place(count - 1, last)[1]}
                r="3.5"
              />
            )}
            {dots(values, `chart-dot ${name}`, open === -1 ? count : count - 1)}
            {count === 1 && last !== null && last !== undefined && (
              <text className="chart-value" x={place(0, last)[0] + 10} y={place(0, last)[1] + 4}>
                {numberText(last)}
              </text>
            )}
          </g>
        )
      })}
    </g>
  )
}
