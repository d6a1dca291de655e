import { useQueries } from "@tanstack/react-query"
import { Link } from "wouter"
import { markerTypesQuery, useMarkerTypes } from "../api/queries.ts"
import { Empty } from "../ui/States.tsx"
import { InsteadOfPage } from "./InsteadOfPage.tsx"
import type { Environment } from "./Project.tsx"
import { useProject } from "./Project.tsx"

/** Milliseconds between looks for the first marker of a project. */
const lookEvery = 3000

/** A project may have many environments, of which the first are those that it began with. */
const mostOthers = 4

/** Another environment of the project that has markers, as production of a demo studio has. */
const useFilled = (
  applicationId: number,
  environments: ReadonlyArray<Environment>,
  environmentId: number
): Environment | undefined => {
  const others = environments.filter(({ id }) => id !== environmentId).slice(0, mostOthers)
  const types = useQueries({ queries: others.map(({ id }) => markerTypesQuery({ applicationId, environmentId: id })) })
  return others.find((_, index) => (types[index]?.data?.length ?? 0) > 0)
}

/** What a page of questions shows while there is nothing to ask about. */
export const NothingYet = ({ title }: { readonly title: string }) => {
  const { applicationId, environmentId, environment, environments } = useProject()
  // Leaves this state by itself when the first marker is there.
  useMarkerTypes({ applicationId, environmentId }, lookEvery)
  const filled = useFilled(applicationId, environments, environmentId)
  return (
    <InsteadOfPage title={title}>
      <Empty
        title="No marker has arrived yet"
        action={
          <Link className="button button-primary" href={`/p/${applicationId}/${environment.alias}/setup`}>
            Send the first marker
          </Link>
        }
      >
        Questions are about what players do: each thing that happens in the game is a marker. {environment.name} has
        none so far.{" "}
        {filled === undefined ? (
          <>
            To look around first, start the server with <code>npm start -- --demo</code>.
          </>
        ) : (
          <>
            Those of this project are in <Link href={`/p/${applicationId}/${filled.alias}/home`}>{filled.name}</Link>.
          </>
        )}
      </Empty>
    </InsteadOfPage>
  )
}
