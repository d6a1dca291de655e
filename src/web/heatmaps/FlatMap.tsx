import type { KeyboardEvent, PointerEvent } from "react"
import { useId, useState } from "react"
import { CellCanvas } from "./CellCanvas.tsx"
import { CellTip } from "./CellTip.tsx"
import type { Cells, Grid } from "./Grid.ts"
import { aspectOf, between } from "./Grid.ts"
import { MapImage } from "./MapImage.tsx"
import type { Scale } from "./Ramp.ts"
import { meaningOf, useEscape } from "../ui/Keys.ts"

export interface MapProps {
  /** The question in words. */
  readonly label: string
  readonly image: string | null
  readonly grid: Grid
  /** The grid as it is coloured, which may be smoother. */
  readonly painted: Grid
  readonly scale: Scale
  /** What a cell says of itself, a line each. */
  readonly describe: (index: number) => ReadonlyArray<string>
  readonly chosen: Cells | null
  readonly onChoose: (cells: Cells | null) => void
}

interface Props extends MapProps {
  /** Percent. */
  readonly opacity: number
  /** Whether the edges of cells are smoothed too. */
  readonly isSmooth: boolean
}

const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1]
}

const Outline = ({ cells, className }: { readonly cells: Cells; readonly className: string }) => (
  <rect
    className={className}
    x={cells.left}
    y={cells.top}
    width={cells.right - cells.left + 1}
    height={cells.bottom - cells.top + 1}
  />
)

/** The values over the map seen from above. A drag, or arrows with Shift and Enter, choose an area. */
export const FlatMap = ({
  label,
  image,
  grid,
  painted,
  scale,
  describe,
  chosen,
  onChoose,
  opacity,
  isSmooth
}: Props) => {
  const { columns, rows } = grid
  const help = useId()
  const [at, setAt] = useState<number | null>(null)
  useEscape(at !== null, () => setAt(null))
  const [start, setStart] = useState<number | null>(null)
  const cellAt = ({ currentTarget, clientX, clientY }: PointerEvent<SVGSVGElement>): number => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    const column = Math.min(columns - 1, Math.max(0, Math.floor(((clientX - left) / width) * columns)))
    return Math.min(rows - 1, Math.max(0, Math.floor(((clientY - top) / height) * rows))) * columns + column
  }
  const onKeyDown = (event: KeyboardEvent<SVGSVGElement>) => {
    const move = meaningOf(moves, event)
    if (move !== undefined) {
      event.preventDefault()
      const from = at ?? Math.floor(rows / 2) * columns + Math.floor(columns / 2)
      const column = Math.min(columns - 1, Math.max(0, (from % columns) + move[0]))
      const row = Math.min(rows - 1, Math.max(0, Math.floor(from / columns) + move[1]))
      if (!event.shiftKey) setStart(null)
      else if (start === null) setStart(from)
      setAt(row * columns + column)
    }
    if (event.key === "Enter" && at !== null) onChoose(between(start ?? at, at, columns))
    if (event.key === "Escape") {
      setStart(null)
      onChoose(null)
    }
  }
  const end = () => {
    if (start !== null && at !== null) onChoose(between(start, at, columns))
    setStart(null)
  }
  const drawn = start !== null && at !== null ? between(start, at, columns) : null
  return (
    <div className="map-answer">
      <MapImage image={image} aspect={aspectOf(grid)}>
        <CellCanvas grid={painted} scale={scale} opacity={opacity} isSmooth={isSmooth} />
        <svg
          className="map-marks"
          viewBox={`0 0 ${columns} ${rows}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
          aria-describedby={help}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onPointerDown={(event) => {
            if (event.button !== 0) return
            event.currentTarget.setPointerCapture(event.pointerId)
            setStart(cellAt(event))
            setAt(cellAt(event))
          }}
          onPointerMove={(event) => setAt(cellAt(event))}
          onPointerUp={end}
          onPointerCancel={() => setStart(null)}
          onPointerLeave={() => {
            if (start === null) setAt(null)
          }}
          onBlur={() => setAt(null)}
        >
          {chosen !== null && drawn === null && <Outline cells={chosen} className="map-chosen" />}
          {drawn !== null && <Outline cells={drawn} className="map-chosen" />}
          {at !== null && <Outline cells={between(at, at, columns)} className="map-cell" />}
        </svg>
        {at !== null && (
          <CellTip across={((at % columns) + 0.5) / columns} down={(Math.floor(at / columns) + 0.5) / rows}>
            {describe(at)}
          </CellTip>
        )}
      </MapImage>
      <p className="unseen" id={help}>
        Arrows move between cells, with Shift they choose an area, Enter asks about it. The table beneath has the
        largest cells.
      </p>
      <p className="unseen" role="status">
        {at === null ? "" : describe(at).join(", ")}
      </p>
    </div>
  )
}
