import { useEffect, useState } from "react"
import type { Where } from "../api/queries.ts"
import { useStream } from "../api/Stream.ts"
import { Spark } from "../charts/Spark.tsx"
import { countText, numberText } from "../text/Numbers.ts"
import { at, busiest, counted, noRates } from "./Rates.ts"

/** Types shown; the page filters by any. */
const mostTypes = 12

const secondNow = (): number => Math.floor(Date.now() / 1000)

interface Props {
  readonly where: Where
  readonly type: string
  readonly onType: (type: string) => void
}

/** How many markers of each type arrived in the last minute. Choosing a type shows only its markers, choosing it again all. */
export const RateList = ({ where, type, onType }: Props) => {
  const [rates, setRates] = useState(() => noRates(secondNow()))
  useStream(where, "markers", (told) => setRates((present) => counted(present, told)))
  useEffect(() => {
    const timer = setInterval(() => setRates((present) => at(present, secondNow())), 1000)
    return () => clearInterval(timer)
  }, [])
  const all = busiest(rates)
  const total = all.reduce((sum, rate) => sum + rate.total, 0)
  return (
    <section className="card rates" aria-label="Last minute">
      <h2>Last minute</h2>
      <p className="faint">{total === 0 ? "No marker arrived." : `${countText(total, "marker")} arrived.`}</p>
      <ul>
        {all.slice(0, mostTypes).map((rate) => (
          <li key={rate.type}>
            <button
              type="button"
              aria-pressed={rate.type === type}
              onClick={() => onType(rate.type === type ? "" : rate.type)}
            >
              <span className="rate-type">{rate.type}</span>
              <Spark label={`${rate.type} in each of the last 60 seconds`} values={rate.seconds} width={72} />
              <b>{numberText(rate.total)}</b>
            </button>
          </li>
        ))}
      </ul>
      {all.length > mostTypes && <p className="faint">and {numberText(all.length - mostTypes)} further types</p>}
    </section>
  )
}
