import { useQuery } from "@tanstack/react-query"
import type { BodyOf } from "../api/Endpoints.ts"
import { call } from "../api/client.ts"
import type { Where } from "../api/queries.ts"
import { numberText, percentText } from "../text/Numbers.ts"

interface Props {
  readonly where: Where
  readonly body: BodyOf<"queries.funnelNext">
}

/** Types that are told; the rest is many and rare. */
const told = 3

/** What players did right after the last step that they reached. */
export const NextMarkers = ({ where, body }: Props) => {
  const next = useQuery({
    queryKey: ["next", where, body],
    queryFn: ({ signal }) =>
      call("queries.funnelNext", {
        path: { applicationId: where.applicationId },
        environment: where.environmentId,
        body,
        signal
      })
  })
  if (next.data === undefined || next.data.total === 0) return null
  const { types, nothing, total } = next.data
  const rows = [
    ...types.slice(0, told).map(({ name, players }) => [name, players] as const),
    ...(nothing === 0 ? [] : [["Nothing since", nothing] as const])
  ]
  return (
    <section className="next-markers" aria-label="What they did next">
      <h3>What they did next</h3>
      <dl>
        {rows.map(([name, players]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {numberText(players)} <span className="faint">{percentText((players / total) * 100, 0)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
