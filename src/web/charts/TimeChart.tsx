import type { KeyboardEvent, MouseEvent } from "react"
import { useId, useMemo, useState } from "react"
import type { DrawnSeries } from "./DrawnSeries.ts"
import type { Step } from "../text/Times.ts"
import { bucketText } from "../text/Times.ts"
import { axisTexts, countText } from "../text/Numbers.ts"
import { AreaMarks } from "./AreaMarks.tsx"
import { BarMarks } from "./BarMarks.tsx"
import { ChartTip } from "./ChartTip.tsx"
import { LineMarks } from "./LineMarks.tsx"
import type { Drawn } from "./Nearest.ts"
import { nearestSeries } from "./Nearest.ts"
import { NoteButtons } from "./NoteButtons.tsx"
import { NoteMarks } from "./NoteMarks.tsx"
import type { ChartNote } from "./NotePlaces.ts"
import { notePlaces } from "./NotePlaces.ts"
import type { Frame } from "./Scale.ts"
import { bucketAt, bucketX, powersBetween, ticksBetween, ticksUpTo, valueY } from "./Scale.ts"
import { asShares, drawable } from "./Shares.ts"
import { useWidth } from "./useWidth.ts"
import { meaningOf, useEscape } from "../ui/Keys.ts"

export interface TimeChartProps {
  /** The question in words. */
  readonly label: string
  readonly kind: "line" | "area" | "bars"
  readonly buckets: ReadonlyArray<string>
  /** Of each bucket whether it is over. */
  readonly complete: ReadonlyArray<boolean>
  readonly series: ReadonlyArray<DrawnSeries>
  readonly isStacked: boolean
  /** Whether values are drawn as percent of the sum of all series. */
  readonly isShare?: boolean
  /** Whether values are percent as they come. */
  readonly isPercent?: boolean
  /** Only lines have such an axis: what stands upon something else begins at 0. */
  readonly isLogarithmic?: boolean
  readonly step: Step
  readonly timezone: string
  /** A point was chosen by click or Enter, of the series of that key: its bucket and its place on the screen. Without it the chart only shows. */
  readonly onChoose?: (key: string, bucket: number, place: DOMRect) => void
  /** Whether a table below says the same, for who cannot see the chart. */
  readonly hasTable?: boolean
  /** What is noted above the axis of time. Room is kept for it even while there is none. */
  readonly notes?: ReadonlyArray<ChartNote>
  /** Pixels; the height of a page's one chart where it is left out. */
  readonly height?: number
}

const standardHeight = 320
/** Pixels above the highest value: with and without notes. */
const tops = { noted: 30, plain: 14 } as const
/** Pixels from the top at which notes stand. */
const noteTop = 12
/** Pixels that a label on the axis of time needs. */
const labelWidth = 74

const movesOf: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -7, PageDown: 7 }

const totals = (series: ReadonlyArray<DrawnSeries>, count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) =>
    series.reduce((total, { values }) => total + Math.max(0, values[index] ?? 0), 0)
  )

/** Whether marks stand upon each other. */
const isPiled = ({ kind, isStacked }: TimeChartProps): boolean => kind === "area" || (kind === "bars" && isStacked)

const drawnValues = (props: TimeChartProps, series: ReadonlyArray<DrawnSeries>): ReadonlyArray<number | null> =>
  isPiled(props)
    ? totals(series, props.buckets.length)
    : series.flatMap(({ values, before, band }) =>
        props.kind === "bars"
          ? values
          : [...values, ...(before?.values ?? []), ...(band === undefined ? [] : [...band.low, ...band.high])]
      )

const ticksOf = (props: TimeChartProps, series: ReadonlyArray<DrawnSeries>): ReadonlyArray<number> => {
  let lowest = 0
  let highest = 0
  let smallest = Infinity
  let isWhole = true
  for (const value of drawnValues(props, series)) {
    if (value === null) continue
    lowest = Math.min(lowest, value)
    highest = Math.max(highest, value)
    if (value > 0) smallest = Math.min(smallest, value)
    if (!Number.isInteger(value)) isWhole = false
  }
  if (props.isLogarithmic === true && props.kind === "line") return powersBetween(smallest, highest)
  return props.isShare === true && isPiled(props) ? ticksUpTo(100) : ticksBetween(lowest, highest, isWhole)
}

const marksOf = { line: LineMarks, area: AreaMarks, bars: BarMarks } as const

const Chart = (props: TimeChartProps) => {
  const { label, kind, isStacked, buckets, complete, step, timezone, onChoose, height = standardHeight, notes } = props
  const [box, width] = useWidth()
  const [at, setAt] = useState<number | null>(null)
  useEscape(at !== null, () => setAt(null))
  const help = useId()
  const isShare = props.isShare === true
  const series = useMemo(() => {
    const shown = props.series.filter(({ isHidden }) => !isHidden)
    return isShare ? asShares(shown) : shown
  }, [isShare, props.series])
  const ticks = useMemo(() => ticksOf(props, series), [props, series])
  const isPercent = isShare || props.isPercent === true
  const tickTexts = axisTexts(ticks, isPercent ? " %" : "")
  const left = 14 + Math.max(...tickTexts.map(({ length }) => length)) * 7
  const isLogarithmic = props.isLogarithmic === true && kind === "line"
  const top = notes === undefined ? tops.plain : tops.noted
  const frame: Frame = useMemo(
    () => ({ width, height, left, right: 14, top, bottom: 28, isLogarithmic }),
    [height, isLogarithmic, left, top, width]
  )
  const count = buckets.length
  const every = Math.max(1, Math.ceil(count / Math.max(2, Math.floor((width - left) / labelWidth))))
  // Bars of the first and last bucket reach half their width beyond the point that stands for them.
  const inner = useMemo(() => {
    if (kind !== "bars" || count === 0) return frame
    const half = (frame.width - frame.left - frame.right) / count / 2
    return { ...frame, left: frame.left + half, right: frame.right + half }
  }, [count, frame, kind])
  const noted = useMemo(() => notePlaces(inner, buckets, notes ?? []), [buckets, inner, notes])
  const marks = useMemo(() => {
    const Marks = marksOf[kind]
    return <Marks frame={inner} ticks={ticks} series={series} complete={complete} isStacked={isStacked} />
  }, [complete, inner, isStacked, kind, series, ticks])
  const drawn: Drawn = { kind, isStacked, series, frame: inner, ticks, count }
  const choose = (svg: SVGSVGElement, bucket: number, y: number | null) => {
    const found = nearestSeries(drawn, bucket, y)
    if (found === null) return
    const { left: x, top } = svg.getBoundingClientRect()
    onChoose?.(found.series.key, bucket, new DOMRect(x + bucketX(inner, bucket, count), top + found.y, 1, 1))
  }
  const onClick = (event: MouseEvent<SVGSVGElement>) => {
    const { left: x, top } = event.currentTarget.getBoundingClientRect()
    choose(event.currentTarget, bucketAt(inner, event.clientX - x, count), event.clientY - top)
  }
  const onKeyDown = (event: KeyboardEvent<SVGSVGElement>) => {
    const move = meaningOf(movesOf, event)
    if (move !== undefined) {
      event.preventDefault()
      setAt((present) => Math.max(0, Math.min(count - 1, present === null ? count - 1 : present + move)))
    }
    if (event.key === "Home") setAt(0)
    if (event.key === "End") setAt(count - 1)
    if (event.key === "Enter" && at !== null) choose(event.currentTarget, at, null)
  }
  const onMouseMove = (event: MouseEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    setAt(bucketAt(inner, x, count))
  }
  return (
    <div className={onChoose === undefined ? "chart" : "chart chart-asked"} ref={box}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={label}
          aria-describedby={help}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onClick={onClick}
          onMouseMove={onMouseMove}
          onMouseLeave={() => setAt(null)}
          onBlur={() => setAt(null)}
        >
          {ticks.map((tick, index) => (
            <g key={tick}>
              <line
                className="chart-grid"
                x1={left}
                x2={width - 14}
                y1={valueY(frame, tick, ticks)}
                y2={valueY(frame, tick, ticks)}
              />
              <text className="chart-axis" x={left - 8} y={valueY(frame, tick, ticks) + 4} textAnchor="end">
                {tickTexts[index]}
              </text>
            </g>
          ))}
          {buckets.map((bucket, index) =>
            index % every === 0 ? (
              <text
                key={bucket}
                className="chart-axis"
                x={bucketX(inner, index, count)}
                y={height - 8}
                textAnchor={index === count - 1 && count > 1 ? "end" : "middle"}
              >
                {bucketText(bucket, step, timezone)}
              </text>
            ) : null
          )}
          <NoteMarks places={noted} top={noteTop} bottom={height - frame.bottom} />
          {at !== null && (
            <line
              className="chart-cross"
              x1={bucketX(inner, at, count)}
              x2={bucketX(inner, at, count)}
              y1={frame.top}
              y2={height - frame.bottom}
            />
          )}
          {marks}
          {at !== null &&
            kind === "line" &&
            series.map(({ key, color, values }) => {
              const value = values[at]
              return value === null || value === undefined ? null : (
                <circle
                  key={key}
                  className={`chart-dot series-${color ?? "other"}`}
                  cx={bucketX(inner, at, count)}
                  cy={valueY(frame, value, ticks)}
                  r="4.5"
                />
              )
            })}
        </svg>
      )}
      {width > 0 && <NoteButtons places={noted} width={width} />}
      {at !== null && buckets[at] !== undefined && (
        <ChartTip
          bucket={buckets[at]}
          at={at}
          isOver={complete[at] === true}
          series={series}
          step={step}
          timezone={timezone}
          isPercent={isPercent}
          x={bucketX(inner, at, count)}
          width={width}
        />
      )}
      <p id={help} className="unseen">
        {[
          `${series.length} series over ${countText(count, "period")}. Arrow keys move between periods`,
          ...(onChoose === undefined ? [] : [", Enter says what can be asked of the highest value"]),
          props.hasTable === true ? ". The table below has the values." : "."
        ].join("")}
      </p>
    </div>
  )
}

/** Values over time, as lines, areas or bars. Arrows move between buckets. */
export const TimeChart = (props: TimeChartProps) => <Chart {...drawable(props)} />
