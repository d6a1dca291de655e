import type { BodyOf } from "../api/Endpoints.ts"
import type { Where } from "../api/queries.ts"
import { loadable } from "../ui/Loadable.tsx"
import { frozenTime } from "../who/Frozen.ts"
import type { FunnelAnswer, Selected } from "./Groups.ts"
import { NextMarkers } from "./NextMarkers.tsx"

/** The players behind the bars are loaded when somebody asks for them. */
const Who = loadable(() => import("../who/Who.tsx").then((sheet) => ({ default: sheet.Who })))

interface Props {
  readonly where: Where
  readonly answer: FunnelAnswer
  readonly body: BodyOf<"queries.funnels">
  readonly select: Selected
  /** The number in words. */
  readonly title: string
  readonly onClose: () => void
}

/** The players behind a number of a funnel, over the time of its answer, and what they did next. */
export const Behind = ({ where, answer, body, select, title, onClose }: Props) => {
  const spec = answer.time === undefined ? body : { ...body, time: frozenTime(body.time, answer.time) }
  return (
    <Who where={where} number={{ queryType: "funnel", spec, select }} title={title} valueName={null} onClose={onClose}>
      <NextMarkers where={where} body={{ ...spec, ...select }} />
    </Who>
  )
}
