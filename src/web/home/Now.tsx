import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { minuteMillis } from "../../domain/Durations.ts"
import { call } from "../api/client.ts"
import { place, type Where } from "../api/queries.ts"
import { insightQuery } from "../api/questions.ts"
import type { Answer } from "../api/Wire.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { numberText } from "../text/Numbers.ts"
import { clockText } from "../text/Times.ts"
import { activeBody, type Names, paceBody, paceOf } from "./HomeQuestions.ts"

const Figure = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const soonMinutes = 5
const longMinutes = 30

/** Players of the last minutes, counted again each minute. Who may not see cohorts is told nothing of them. */
const useActive = (where: Where, names: Names, minutes: number): number | null => {
  const { data } = useQuery<Answer<"cohorts.execute">>({
    queryKey: ["active", where, names, minutes],
    refetchInterval: minuteMillis,
    queryFn: ({ signal }) => call("cohorts.execute", { ...place(where), body: activeBody(names, minutes), signal })
  })
  return data?.count ?? null
}

/** What happens in the game at this moment. */
export const Now = ({ names }: { readonly names: Names }) => {
  const { timezone } = useProject()
  const where = useWhere()
  const soon = useActive(where, names, soonMinutes)
  const long = useActive(where, names, longMinutes)
  const pace = useQuery({ ...insightQuery(where, paceBody(names), null), refetchInterval: minuteMillis })
  const answer = pace.data?.answer
  const since = answer === undefined ? "" : `, since ${clockText(answer.time.from, timezone).slice(0, 5)}`
  return (
    <section className="card home-now" aria-label="Now" aria-busy={pace.isFetching}>
      <h2>
        <i className={(soon ?? 0) > 0 ? "home-dot home-dot-on" : "home-dot"} />
        Now
      </h2>
      {pace.error !== null && answer === undefined ? (
        <p className="form-error">{pace.error.message}</p>
      ) : (
        <dl className="home-figures">
          <Figure label={`Players, last ${soonMinutes} minutes`}>{numberText(soon)}</Figure>
          <Figure label={`Players, last ${longMinutes} minutes`}>{numberText(long)}</Figure>
          <Figure label={`Markers a minute${since}`}>{numberText(paceOf(answer))}</Figure>
        </dl>
      )}
    </section>
  )
}
