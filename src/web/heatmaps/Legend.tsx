import { axisTexts } from "../text/Numbers.ts"
import type { Scale } from "./Ramp.ts"
import { colourOf } from "./Ramp.ts"

interface Props {
  readonly scale: Scale
  /** What the values are, in words. */
  readonly unit: string
  /** What the colours at both ends mean, for differences. */
  readonly ends: readonly [low: string, high: string] | null
}

const steps = 24

/** The colours of the map with the values they stand for: the middle of a side is a quarter of its end. */
export const Legend = ({ scale, unit, ends }: Props) => {
  const { isSigned, top } = scale
  const valueAt = (share: number): number => {
    if (!isSigned) return top * share * share
    const way = 2 * share - 1
    return top * way * Math.abs(way)
  }
  const ticks = isSigned ? [-top, 0, top] : [0, top / 4, top]
  return (
    <figure className="map-legend" aria-label={`Colours: ${unit}`}>
      <figcaption>{ends === null ? unit : `${unit}: blue is more of ${ends[0]}, orange more of ${ends[1]}`}</figcaption>
      <svg viewBox={`0 0 ${steps} 1`} preserveAspectRatio="none" aria-hidden="true">
        {Array.from({ length: steps }, (_, at) => {
          const [red, green, blue] = colourOf(scale, valueAt((at + 0.5) / steps))
          return <rect key={at} x={at} width={1.02} height={1} fill={`rgb(${red} ${green} ${blue})`} />
        })}
      </svg>
      <div className="map-legend-ticks">
        {axisTexts(ticks).map((text, index) => (
          <span key={ticks[index]}>{text}</span>
        ))}
      </div>
    </figure>
  )
}
