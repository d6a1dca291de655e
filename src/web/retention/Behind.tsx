import { useState } from "react"
import type { BodyOf } from "../api/Endpoints.ts"
import type { Answer } from "../api/Wire.ts"
import type { Where } from "../api/queries.ts"
import { countText } from "../text/Numbers.ts"
import { bucketName } from "../text/Times.ts"
import { loadable } from "../ui/Loadable.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import type { RetentionQuestion } from "./RetentionQuestion.ts"

const Who = loadable(() => import("../who/Who.tsx").then((chunk) => ({ default: chunk.Who })))

/** A cell of the grid, by the start of its row; interval 0 stands for all players of the row. */
export interface RetentionCell {
  readonly start: string
  readonly interval: number
}

interface Props {
  readonly where: Where
  readonly answer: Answer<"queries.retention">
  readonly question: RetentionQuestion
  readonly body: BodyOf<"queries.retention">
  readonly timezone: string
  readonly cell: RetentionCell
  readonly onClose: () => void
}

const outcomes = [
  ["returned", "Came back"],
  ["left", "Did not"]
] as const

/** The question over the time of its answer, so that players who arrived since do not count. */
const frozen = (
  body: BodyOf<"queries.retention">,
  { series, meta }: Answer<"queries.retention">,
  step: Props["question"]["interval"]
) => {
  const from = series[0]?.cohorts[0]?.start
  return from === undefined
    ? body
    : { ...body, time: { step, from, to: new Date(Date.parse(meta.asOf) + 1).toISOString() } }
}

/** The players of a cell: who came back, and who did not. */
export const Behind = ({ where, answer, question, body, timezone, cell, onClose }: Props) => {
  const [outcome, setOutcome] = useState<"returned" | "left">("returned")
  const row = answer.series[0]?.cohorts.find(({ start }) => start === cell.start)
  const returned = row?.values.find(({ interval }) => interval === cell.interval)?.count ?? 0
  const isRow = cell.interval === 0
  const size = row?.size ?? 0
  const count = isRow ? size : outcome === "returned" ? returned : size - returned
  const begun = bucketName(cell.start, question.interval, timezone)
  const title = isRow
    ? `${countText(count, "player")} · first ${question.start} · ${begun}`
    : `${countText(count, "player")} · ${outcome === "returned" ? "back" : "not back"} on ${question.interval} ${cell.interval} · ${begun}`
  return (
    <Who
      where={where}
      number={{
        queryType: "retention",
        spec: frozen(body, answer, question.interval),
        select: { ...cell, outcome }
      }}
      title={title}
      valueName={isRow ? "Starts" : "Returns"}
      onClose={onClose}
      before={isRow ? null : <Segmented label="Players who" value={outcome} choices={outcomes} onChoose={setOutcome} />}
    />
  )
}
