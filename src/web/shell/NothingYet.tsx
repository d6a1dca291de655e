import { Link } from "wouter"
import { useMarkerTypes } from "../api/queries.ts"
import { Empty } from "../ui/States.tsx"
import { useProject } from "./Project.tsx"

/** Milliseconds between looks for the first marker of a project. */
const lookEvery = 3000

/** What a page of questions shows while there is nothing to ask about. */
export const NothingYet = ({ title }: { readonly title: string }) => {
  const { applicationId, environmentId, environment } = useProject()
  // Leaves this state by itself when the first marker is there.
  useMarkerTypes({ applicationId, environmentId }, lookEvery)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{title}</h1>
      </header>
      <section className="card">
        <Empty
          title="No marker has arrived yet"
          action={
            <Link className="button button-primary" href={`/p/${applicationId}/${environment.alias}/setup`}>
              Send the first marker
            </Link>
          }
        >
          Questions are about what players do: each thing that happens in the game is a marker. {environment.name} has
          none so far. To look around first, start the server with <code>npm start -- --demo</code>.
        </Empty>
      </section>
    </div>
  )
}
