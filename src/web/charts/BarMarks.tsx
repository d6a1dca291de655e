import type { MarksProps } from "./LineMarks.tsx"
import { bucketX, valueY } from "./Scale.ts"

/** Bars stand upon each other or side by side, and hang from 0 where a value is below it; those of a bucket that is not over are pale with a dashed edge. */
export const BarMarks = ({ frame, ticks, series, complete, isStacked }: MarksProps) => {
  const count = complete.length
  const distance = count < 2 ? 120 : bucketX(frame, 1, count) - bucketX(frame, 0, count)
  const whole = Math.max(1, Math.min(isStacked ? 64 : 160, distance * 0.76))
  const width = isStacked ? whole : whole / Math.max(1, series.length)
  const tops = Array.from({ length: count }, () => 0)
  return (
    <g>
      {series.map(({ key, color, values }, position) => (
        <g key={key} className={`series-${color ?? "other"}`}>
          {values.map((value, index) => {
            const from = isStacked ? (tops[index] ?? 0) : 0
            const to = from + (value ?? 0)
            if (isStacked) tops[index] = to
            const y = valueY(frame, Math.max(from, to), ticks)
            const height = valueY(frame, Math.min(from, to), ticks) - y
            return height <= 0 ? null : (
              <rect
                key={index}
                className={complete[index] === true ? "chart-bar" : "chart-bar chart-bar-open"}
                x={bucketX(frame, index, count) - whole / 2 + (isStacked ? 0 : position * width)}
                y={y}
                width={width}
                height={height}
              />
            )
          })}
        </g>
      ))}
    </g>
  )
}
