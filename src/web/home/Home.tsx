import { useMemo } from "react"
import { useArguments, useMarkerTypes } from "../api/queries.ts"
import { UnansweredPage } from "../shell/UnansweredPage.tsx"
import { NothingYet } from "../shell/NothingYet.tsx"
import { useProject, useWhere } from "../shell/Project.tsx"
import { ServerState } from "../shell/ServerState.tsx"
import { Skeleton } from "../ui/States.tsx"
import { ComeBack } from "./ComeBack.tsx"
import { anyMarker } from "./HomeQuestions.ts"
import { Now } from "./Now.tsx"
import { Pinned } from "./Pinned.tsx"
import { revenueOf } from "./Revenue.ts"
import { Today } from "./Today.tsx"
import { Changes, Running } from "./Week.tsx"
import "../theme/home.css"

/** How the game does, at one look. */
export const Home = () => {
  const { name, environment } = useProject()
  const where = useWhere()
  const types = useMarkerTypes(where)
  const args = useArguments(where)
  const names = useMemo(() => (types.data === undefined ? null : anyMarker(types.data)), [types.data])
  const revenue = useMemo(
    () => (types.data === undefined || args.data === undefined ? null : revenueOf(types.data, args.data)),
    [args.data, types.data]
  )
  if (types.data === undefined) {
    return <UnansweredPage error={types.error} retry={() => void types.refetch()} />
  }
  if (names === null) return <NothingYet title="Home" />
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>{name}</h1>
          <p>{environment.name}, at one look.</p>
        </div>
      </header>
      <ServerState />
      <div className="home">
        <Now names={names} />
        {args.data === undefined && args.error === null ? (
          <Skeleton height={240} />
        ) : (
          <Today names={names} revenue={revenue} />
        )}
        <ComeBack names={names} />
        <Running />
        <Changes />
      </div>
      <Pinned />
    </div>
  )
}
