import { useState } from "react"
import type { BodyOf } from "../api/Endpoints.ts"
import type { Answer } from "../api/Wire.ts"
import type { Where } from "../api/queries.ts"
import { useProperties } from "../api/queries.ts"
import { loadable } from "../ui/Loadable.tsx"
import type { InsightDraft } from "./Question.ts"
import type { Chosen, SeriesPoint } from "./Point.ts"
import { numberOf, pointWords, valueWords } from "./Point.ts"

const PointMenu = loadable(() => import("./PointMenu.tsx").then((chunk) => ({ default: chunk.PointMenu })))
const Who = loadable(() => import("../who/Who.tsx").then((chunk) => ({ default: chunk.Who })))

interface Props {
  readonly where: Where
  readonly answer: Answer<"queries.insights">
  readonly question: InsightDraft
  readonly body: BodyOf<"queries.insights">
  readonly chosen: Chosen | null
  readonly onChange: (part: Partial<InsightDraft>) => void
  readonly onClose: () => void
}

interface Shown {
  readonly point: SeriesPoint
  readonly answer: Answer<"queries.insights">
  readonly body: BodyOf<"queries.insights">
}

/** The menu of a number that was chosen, and the players behind it. */
export const Behind = ({ where, answer, question, body, chosen, onChange, onClose }: Props) => {
  const [shown, show] = useState<Shown | null>(null)
  const properties = useProperties(where)
  const number = shown === null ? null : numberOf(shown.point, shown.answer, shown.body)
  return (
    <>
      {chosen !== null && (
        <PointMenu
          chosen={chosen}
          answer={answer}
          question={question}
          properties={properties.data?.map(({ name }) => name) ?? []}
          onWho={() => show({ point: chosen.point, answer, body })}
          onChange={onChange}
          onClose={onClose}
        />
      )}
      {shown !== null && number !== null && (
        <Who
          where={where}
          number={number}
          title={pointWords(shown.point, shown.answer, question.by !== null)}
          valueName={valueWords(shown.point)}
          onClose={() => show(null)}
        />
      )}
    </>
  )
}
