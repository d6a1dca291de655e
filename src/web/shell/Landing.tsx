import { Redirect } from "wouter"
import { useMarkerTypes } from "../api/queries.ts"
import { Unanswered } from "./InsteadOfPage.tsx"
import { pages } from "./PageList.ts"
import { lackedBy } from "./PageNeeds.ts"
import { useProject, useWhere } from "./Project.tsx"

/** The first page of a project: its home once a marker has arrived, until then what leads to the first marker; or the first that one may see. */
export const Landing = () => {
  const { applicationId, environment, may } = useProject()
  if (lackedBy("home", may).length === 0) return <HomeOrSetup />
  const first = pages.flatMap(({ items }) => items).find(([path]) => lackedBy(path, may).length === 0)
  return <Redirect to={`/p/${applicationId}/${environment.alias}/${first?.[0] ?? "settings"}`} replace />
}

const HomeOrSetup = () => {
  const { applicationId, environment } = useProject()
  const { data, error, refetch } = useMarkerTypes(useWhere())
  if (data !== undefined) {
    return <Redirect to={`/p/${applicationId}/${environment.alias}/${data.length === 0 ? "setup" : "home"}`} replace />
  }
  return <Unanswered error={error} retry={() => void refetch()} />
}
