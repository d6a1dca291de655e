interface Props {
  /** What is drawn, in words. */
  readonly label: string
  readonly values: ReadonlyArray<number>
  readonly width?: number
  readonly height?: number
}

/** A line of the size of a word: how something went, without axes. It begins at 0. */
export const Spark = ({ label, values, width = 96, height = 20 }: Props) => {
  const highest = Math.max(1, ...values)
  const step = width / Math.max(1, values.length - 1)
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(height - 1 - (value / highest) * (height - 2)).toFixed(1)}`
  )
  return (
    <svg
      className="spark"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <polyline points={points.join(" ")} />
    </svg>
  )
}
