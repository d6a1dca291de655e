import type { ReactNode } from "react"
import { useInsight } from "../api/queries.ts"
import { useWhere } from "../shell/Project.tsx"
import { numberText } from "../text/Numbers.ts"
import { nowBody, totalOf } from "./HomeQuestions.ts"

const Figure = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

const soonMinutes = 5
const longMinutes = 30

/** What happens in the game at this moment. */
export const Now = ({ names }: { readonly names: readonly [string, ...ReadonlyArray<string>] }) => {
  const where = useWhere()
  const soon = useInsight(where, nowBody(names, soonMinutes), null)
  const long = useInsight(where, nowBody(names, longMinutes), null)
  const error = soon.error ?? long.error
  const markers = totalOf(soon.data?.answer, "markers")
  return (
    <section className="card home-now" aria-label="Now" aria-busy={soon.isFetching}>
      <h2>
        <i className={(markers ?? 0) > 0 ? "home-dot home-dot-on" : "home-dot"} />
        Now
      </h2>
      {error !== null && soon.data === undefined ? (
        <p className="form-error">{error.message}</p>
      ) : (
        <dl className="home-figures">
          <Figure label="Players, last 5 minutes">{numberText(totalOf(soon.data?.answer, "players"))}</Figure>
          <Figure label="Players, last 30 minutes">{numberText(totalOf(long.data?.answer, "players"))}</Figure>
          <Figure label="Markers a minute">{numberText(markers === null ? null : markers / soonMinutes)}</Figure>
        </dl>
      )}
    </section>
  )
}
