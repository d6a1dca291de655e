import type { Frame } from "../charts/Scale.ts"
import { bucketX, lonely, pathOf, ticksUpTo, valueY } from "../charts/Scale.ts"
import { useWidth } from "../charts/useWidth.ts"
import { axisTexts } from "../text/Numbers.ts"
import type { Benchmark } from "./Benchmark.ts"
import { benchmarkRates } from "./Benchmark.ts"
import type { CurveLine } from "./CurveLine.ts"

interface Props {
  readonly label: string
  /** Names of the intervals: `Day 1`. */
  readonly intervals: ReadonlyArray<string>
  readonly lines: ReadonlyArray<CurveLine>
  readonly benchmarks: ReadonlyArray<Benchmark>
}

const height = 220
/** Pixels that a label below the axis needs. */
const labelWidth = 60

/** How many come back, interval by interval: the average, and the rows that were picked. The grid has every number. */
export const RetentionCurve = ({ label, intervals, lines, benchmarks }: Props) => {
  const [box, width] = useWidth()
  const wanted = benchmarkRates(benchmarks, intervals.length)
  const highest = Math.max(
    0,
    ...lines.flatMap(({ rates }) => rates.map((rate) => rate ?? 0)),
    ...wanted.map((rate) => rate ?? 0)
  )
  const ticks = ticksUpTo(highest)
  const tickTexts = axisTexts(ticks, " %")
  const frame: Frame = { width, height, left: 52, right: 14, top: 14, bottom: 28 }
  const count = intervals.length
  const every = Math.max(1, Math.ceil(count / Math.max(2, Math.floor((width - frame.left) / labelWidth))))
  const place = (index: number, value: number) => [bucketX(frame, index, count), valueY(frame, value, ticks)] as const
  return (
    <div className="retention-curve" ref={box}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={label}>
          {ticks.map((tick, index) => (
            <g key={tick}>
              <line
                className="chart-grid"
                x1={frame.left}
                x2={width - frame.right}
                y1={valueY(frame, tick, ticks)}
                y2={valueY(frame, tick, ticks)}
              />
              <text className="chart-axis" x={frame.left - 8} y={valueY(frame, tick, ticks) + 4} textAnchor="end">
                {tickTexts[index]}
              </text>
            </g>
          ))}
          {intervals.map((interval, index) =>
            index % every === 0 ? (
              <text
                key={interval}
                className="chart-axis"
                x={bucketX(frame, index, count)}
                y={height - 8}
                textAnchor={index === count - 1 && count > 1 ? "end" : "middle"}
              >
                {interval}
              </text>
            ) : null
          )}
          {benchmarks.length > 0 && <path className="chart-line chart-benchmark" d={pathOf(wanted, place)} />}
          {benchmarks.map(({ interval, rate }) => {
            const [x, y] = place(interval - 1, rate)
            return interval > count ? null : (
              <circle key={interval} className="chart-benchmark-point" cx={x} cy={y} r="4" />
            )
          })}
          {lines.map(({ key, color, rates }) => (
            <g key={key} className={`series-${color ?? "other"}`}>
              <path className="chart-line" d={pathOf(rates, place)} />
              {lonely(rates).map((index) => {
                const [x, y] = place(index, rates[index] ?? 0)
                return <circle key={index} className="chart-dot" cx={x} cy={y} r="3.5" />
              })}
            </g>
          ))}
        </svg>
      )}
      <ul className="curve-legend">
        {lines.map(({ key, name, color }) => (
          <li key={key}>
            <i className={`swatch series-${color ?? "other"}`} />
            {name}
          </li>
        ))}
        {benchmarks.length > 0 && (
          <li>
            <i className="swatch-benchmark" />
            Benchmark
          </li>
        )}
      </ul>
    </div>
  )
}
