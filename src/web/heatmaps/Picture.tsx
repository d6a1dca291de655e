import { lazy, Suspense, useCallback, useState } from "react"
import { Callout, Skeleton } from "../ui/States.tsx"
import { FlatMap } from "./FlatMap.tsx"
import type { MapProps } from "./FlatMap.tsx"
import type { HeatmapQuestion } from "./HeatmapQuestion.ts"

const HeatMap3d = lazy(() => import("./HeatMap3d.tsx").then((chunk) => ({ default: chunk.HeatMap3d })))

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
  return (
    <Suspense fallback={<Skeleton height={480} />}>
      <HeatMap3d {...map} onFail={fail} />
    </Suspense>
  )
}
