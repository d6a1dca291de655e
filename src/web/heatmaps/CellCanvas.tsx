import { useEffect, useRef } from "react"
import type { Grid } from "./Grid.ts"
import type { Scale } from "./Ramp.ts"
import { pixelsOf } from "./Ramp.ts"

interface Props {
  readonly grid: Grid
  readonly scale: Scale
  /** Percent. */
  readonly opacity: number
  /** Whether the edges of cells are smoothed. */
  readonly isSmooth: boolean
}

/** The colours of a grid over the map, a pixel a cell. */
export const CellCanvas = ({ grid: { columns, rows, values }, scale, opacity, isSmooth }: Props) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const context = canvas.current?.getContext("2d") ?? null
    if (context === null) return
    context.putImageData(new ImageData(pixelsOf(scale, values), columns, rows), 0, 0)
  }, [columns, rows, scale, values])
  return (
    <canvas
      ref={(element) => {
        canvas.current = element
        element?.style.setProperty("opacity", String(opacity / 100))
      }}
      className={isSmooth ? "map-cells map-smooth" : "map-cells"}
      width={columns}
      height={rows}
      aria-hidden="true"
    />
  )
}
