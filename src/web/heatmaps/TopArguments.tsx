import { useQuery } from "@tanstack/react-query"
import { call } from "../api/client.ts"
import type { Where } from "../api/queries.ts"
import { place } from "../api/queries.ts"
import { countText, percentText } from "../text/Numbers.ts"
import { valueText } from "../text/Values.ts"
import { Failed, Skeleton } from "../ui/States.tsx"
import type { Area } from "./Grid.ts"
import type { HeatmapBody } from "./HeatmapQuestion.ts"

interface Props {
  readonly where: Where
  readonly body: HeatmapBody
  readonly area: Area
}

/** What all markers in the area say in their arguments. */
export const TopArguments = ({ where, body, area }: Props) => {
  const select = { area }
  const told = useQuery({
    queryKey: ["heatmap-arguments", where, body, select],
    queryFn: ({ signal }) => call("queries.heatmapArguments", { ...place(where), body: { ...body, select }, signal })
  })
  if (told.data === undefined) {
    return told.error === null ? (
      <Skeleton height={120} />
    ) : (
      <Failed error={told.error} retry={() => void told.refetch()} />
    )
  }
  const { markers, arguments: found } = told.data
  return (
    <section className="area-arguments" aria-label="Most frequent arguments">
      <p className="faint">
        {markers === 0
          ? "No marker lies here."
          : found.length === 0
            ? `${countText(markers, "marker")} here carry no arguments.`
            : `Of ${countText(markers, "marker")} here say:`}
      </p>
      {found.map(({ name, values }) => (
        <div key={name}>
          <h3>{name}</h3>
          <ul>
            {values.map(({ value, count }) => (
              <li key={`${typeof value} ${value}`}>
                <span>{valueText(value)}</span>
                <b>{percentText((100 * count) / markers, 0)}</b>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
