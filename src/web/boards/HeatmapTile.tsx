import { useMemo } from "react"
import type { Answer } from "../api/Wire.ts"
import { blurred } from "../heatmaps/Blur.ts"
import { CellCanvas } from "../heatmaps/CellCanvas.tsx"
import { aspectOf, gridOf, topOf } from "../heatmaps/Grid.ts"
import { imageOf, useMap } from "../heatmaps/HeatmapQueries.ts"
import { MapImage } from "../heatmaps/MapImage.tsx"
import { useProject } from "../shell/Project.tsx"
import { countText, numberText } from "../text/Numbers.ts"
import "../theme/heatmaps.css"

interface Props {
  readonly answer: Answer<"queries.heatmaps">
  readonly label: string
  readonly heatmapId: string
  /** Pixels that the tile has. */
  readonly height: number
}

/** Pixels below the map. */
const foot = 28

/** A map with what happens where, as its page first draws it. */
export const HeatmapTile = ({ answer, label, heatmapId, height }: Props) => {
  const { applicationId } = useProject()
  const map = useMap(applicationId, heatmapId)
  const grid = useMemo(() => blurred(gridOf(answer), 1), [answer])
  const scale = useMemo(() => ({ isSigned: false, ramp: "fire" as const, top: topOf(grid) }), [grid])
  const { insideBounds, uniqueUsers } = answer.statistics
  const words = `${numberText(insideBounds)} on the map, of ${countText(uniqueUsers, "player")}`
  return (
    <div
      className="map-tile"
      ref={(tile) => {
        tile?.style.setProperty("--tallest", `${Math.max(120, height - foot)}px`)
      }}
    >
      <div role="img" aria-label={`${label}: ${words}`}>
        <MapImage image={map.data === undefined ? null : imageOf(map.data)} aspect={aspectOf(grid)}>
          <CellCanvas grid={grid} scale={scale} opacity={80} isSmooth />
        </MapImage>
      </div>
      <p className="faint">{words}</p>
    </div>
  )
}
