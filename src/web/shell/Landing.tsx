import { Redirect } from "wouter"
import { useMarkerTypes } from "../api/queries.ts"
import { Failed, Skeleton } from "../ui/States.tsx"
import { useProject, useWhere } from "./Project.tsx"

/** The first page of a project: its home once a marker has arrived, and until then what leads to the first marker. */
export const Landing = () => {
  const { applicationId, environment } = useProject()
  const { data, error, refetch } = useMarkerTypes(useWhere())
  if (data !== undefined) {
    return <Redirect to={`/p/${applicationId}/${environment.alias}/${data.length === 0 ? "setup" : "home"}`} replace />
  }
  return (
    <main className="alone">
      {error === null ? <Skeleton /> : <Failed error={error} retry={() => void refetch()} />}
    </main>
  )
}
