interface Props {
  /** Null where there is no value yet. */
  readonly values: ReadonlyArray<number | null>
  /** What the line shows, in a sentence with its numbers. */
  readonly label: string
  /** Whether the last value is of a time that is not over: it is drawn dashed, as on charts. */
  readonly isOpen?: boolean
  readonly width?: number
  readonly height?: number
}

const margin = 2

/** A line in a row of a table: how a number has developed, from 0 up. */
export const Spark = ({ values, label, isOpen = false, width = 96, height = 24 }: Props) => {
  const known = values.filter((value) => value !== null)
  const highest = Math.max(0, ...known)
  const x = (index: number) => margin + (index / Math.max(1, values.length - 1)) * (width - 2 * margin)
  const y = (value: number) => height - margin - (highest === 0 ? 0 : value / highest) * (height - 2 * margin)
  const points = values.flatMap((value, index) =>
    value === null ? [] : [`${x(index).toFixed(1)} ${y(value).toFixed(1)}`]
  )
  const over = isOpen ? points.slice(0, -1) : points
  const last = points.at(-1)?.split(" ")
  return (
    <svg
      className="spark"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      {over.length > 1 && <path d={`M${over.join("L")}`} />}
      {isOpen && points.length > 1 && <path className="spark-open" d={`M${points.slice(-2).join("L")}`} />}
      {last !== undefined && <circle className={isOpen ? "spark-open" : ""} cx={last[0]} cy={last[1]} r="2" />}
    </svg>
  )
}
