import { useCallback, useState } from "react"
import { loadable, skeleton } from "../ui/Loadable.tsx"
import { Callout } from "../ui/States.tsx"
import { FlatMap } from "./FlatMap.tsx"
import type { MapProps } from "./FlatMap.tsx"
import type { HeatmapQuestion } from "./HeatmapQuestion.ts"

const HeatMap3d = loadable(
  () => import("./HeatMap3d.tsx").then((chunk) => ({ default: chunk.HeatMap3d })),
  skeleton(480)
)

interface Props extends MapProps {
  readonly question: Pick<HeatmapQuestion, "view" | "opacity" | "blur">
}

/** The map, flat or with bars; flat too where the browser cannot draw bars. */
export const Picture = ({ question, ...map }: Props) => {
  const [hasFailed, setFailed] = useState(false)
  const fail = useCallback(() => setFailed(true), [])
  if (question.view === "flat" || hasFailed) {
    return (
      <>
        {question.view === "bars" && (
          <Callout>This browser cannot draw in three dimensions (WebGL 2), so the map is flat.</Callout>
        )}
        <FlatMap {...map} opacity={question.opacity} isSmooth={question.blur > 0} />
      </>
    )
  }
  return <HeatMap3d {...map} onFail={fail} />
}
