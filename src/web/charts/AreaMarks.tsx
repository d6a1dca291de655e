import type { MarksProps } from "./LineMarks.tsx"
import { bucketX, pathOf, valueY } from "./Scale.ts"
import { bandsOf } from "./Shares.ts"

/** Areas upon each other; the part that is not over is pale, with a dashed edge. */
export const AreaMarks = ({ frame, ticks, series, complete }: MarksProps) => {
  const count = complete.length
  const place = (index: number, value: number) => [bucketX(frame, index, count), valueY(frame, value, ticks)] as const
  const open = complete.indexOf(false)
  const lastOver = open === -1 ? count - 1 : open - 1
  const between = (from: ReadonlyArray<number>, to: ReadonlyArray<number>, first: number, last: number): string => {
    const upper = pathOf(to, place, first, last)
    if (upper === "") return ""
    const lower = from
      .slice(first, last + 1)
      .map((value, index) => place(first + index, value))
      .reverse()
      .map(([x, y]) => `L${x.toFixed(1)} ${y.toFixed(1)}`)
    return `${upper}${lower.join("")}Z`
  }
  return (
    <g>
      {bandsOf(series, count).map(({ key, color, from, to }) => {
        const name = `series-${color ?? "other"}`
        return (
          <g key={key}>
            <path className={`chart-band ${name}`} d={between(from, to, 0, lastOver)} />
            <path className={`chart-line ${name}`} d={pathOf(to, place, 0, lastOver)} />
            {open !== -1 && (
              <>
                <path
                  className={`chart-band chart-band-open ${name}`}
                  d={between(from, to, Math.max(0, lastOver), count - 1)}
                />
                <path
                  className={`chart-line chart-open ${name}`}
                  d={pathOf(to, place, Math.max(0, lastOver), count - 1)}
                />
              </>
            )}
          </g>
        )
      })}
    </g>
  )
}
