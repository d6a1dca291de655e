/** How a change is drawn: strong where it is decided, pale where it only leans to one side. */
export type EffectTone = "good" | "bad" | "lean-good" | "lean-bad" | "none"

interface Props {
  /** The 95 % interval of the change. */
  readonly interval: readonly [low: number, high: number]
  /** The change itself. */
  readonly estimate: number
  /** The scale reaches from `-end` to `end`. */
  readonly end: number
  readonly tone: EffectTone
  /** Whether the interval is that of a normal distribution, whose density is drawn around it. */
  readonly hasDensity: boolean
}

const half = 100
const middle = 20
/** Standard deviations from the middle of a 95 % interval to its end. */
const endOfInterval = 1.959964
const reach = 3.2
const points = 48

/** The shape of a normal density that is as wide as the interval, mirrored, as a path. */
export const densityPath = ([low, high]: readonly [number, number], place: (value: number) => number): string => {
  const centre = (low + high) / 2
  const deviation = (high - low) / 2 / endOfInterval
  const edge = Array.from({ length: points + 1 }, (_, index) => {
    const z = -reach + (2 * reach * index) / points
    return [place(centre + z * deviation), Math.exp(-(z ** 2) / 2) * (middle - 3)] as const
  })
  const upper = edge.map(([x, size]) => `${x.toFixed(2)} ${(middle - size).toFixed(2)}`)
  const lower = edge.toReversed().map(([x, size]) => `${x.toFixed(2)} ${(middle + size).toFixed(2)}`)
  return `M${[...upper, ...lower].join("L")}Z`
}

/** A change on a scale with no change in its middle: the density, a bar over 95 % of it, and a mark at the change itself. The words beside it say the same. */
export const Effect = ({ interval, estimate, end, tone, hasDensity }: Props) => {
  const place = (value: number) => (value / end) * half
  const [low, high] = [place(interval[0]), place(interval[1])]
  const at = place(estimate)
  return (
    <svg
      className={`effect effect-${tone} ${hasDensity ? "" : "effect-plain"}`}
      viewBox={`${-half} 0 ${2 * half} ${2 * middle}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <line className="effect-zero" x1="0" x2="0" y1="0" y2={2 * middle} />
      {hasDensity && <path className="effect-density" d={densityPath(interval, place)} />}
      <line className="effect-bar" x1={low} x2={high} y1={middle} y2={middle} />
      <line className="effect-bar" x1={low} x2={low} y1={middle - 5} y2={middle + 5} />
      <line className="effect-bar" x1={high} x2={high} y1={middle - 5} y2={middle + 5} />
      <line className="effect-mark" x1={at} x2={at} y1={middle - 9} y2={middle + 9} />
    </svg>
  )
}
