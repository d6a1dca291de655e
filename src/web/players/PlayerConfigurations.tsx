import { useQuery } from "@tanstack/react-query"
import { Link } from "wouter"
import { call } from "../api/client.ts"
import { place } from "../api/queries.ts"
import { useProject, useWhere } from "../shell/Project.tsx"

/** Links to each configuration as the player gets it. */
export const PlayerConfigurations = ({ unitId }: { readonly unitId: string }) => {
  const { applicationId, environment } = useProject()
  const where = useWhere()
  const configurations = useQuery({
    queryKey: ["configurations", where],
    queryFn: ({ signal }) => call("configurations.list", { ...place(where), signal })
  })
  if (configurations.error !== null) return <p className="faint">{configurations.error.message}</p>
  if (configurations.data?.length === 0) return <p className="faint">The environment has none.</p>
  return (
    <ul className="player-list">
      {configurations.data?.map(({ id, name }) => (
        <li key={id}>
          <Link
            href={`/p/${applicationId}/${environment.alias}/configurations/${id}?view=player&player=${encodeURIComponent(unitId)}`}
          >
            {name}
          </Link>
          <small className="faint">as this player gets it</small>
        </li>
      ))}
    </ul>
  )
}
