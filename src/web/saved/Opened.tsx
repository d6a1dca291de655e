import type { ReactNode } from "react"
import { createContext, useContext, useMemo } from "react"
import { Link, useLocation, useSearch } from "wouter"
import { ApiFailure } from "../api/Failure.ts"
import { useSavedQuery } from "../api/savedQueries.ts"
import { useProject } from "../shell/Project.tsx"
import { loadable, skeleton } from "../ui/Loadable.tsx"
import { Callout, Empty, Failed, Skeleton } from "../ui/States.tsx"
import type { Kind, SavedQuestion } from "./Kind.ts"
import { pageOf } from "./Kind.ts"

/** Draws the answer of a question that the page has no controls for. */
const TileAnswer = loadable(
  () => import("../boards/TileAnswer.tsx").then((chunk) => ({ default: chunk.TileAnswer })),
  skeleton(420)
)

const Context = createContext<SavedQuestion | null>(null)

/** The saved question on which that of the page is based; null where it is based on none. */
export const useOpened = (): SavedQuestion | null => useContext(Context)

/** The id of the saved question that an address names. */
export const openedId = (search: string): string | null => new URLSearchParams(search).get("q")

interface Props<State> {
  readonly kind: Kind<State>
  readonly children: ReactNode
}

/** Reads the saved question that the address names, `?q={id}`, before the page of questions is drawn. */
export const Opened = <State,>({ kind, children }: Props<State>) => {
  const { applicationId, environment, timezone } = useProject()
  const [path] = useLocation()
  const id = openedId(useSearch())
  const { data, error, refetch } = useSavedQuery(applicationId, id)
  const isReadable = useMemo(() => data !== undefined && kind.read(data, timezone) !== null, [data, kind, timezone])
  if (id === null) return <Context.Provider value={null}>{children}</Context.Provider>
  if (data !== undefined && isReadable) return <Context.Provider value={data}>{children}</Context.Provider>
  const own = data === undefined || data.queryType === kind.queryType ? null : pageOf(data.queryType)
  const home = `/p/${applicationId}/${environment.alias}`
  return (
    <div className="page">
      <header className="page-head">
        <h1>{data?.name ?? "Saved question"}</h1>
      </header>
      <section className="card">
        {data === undefined ? (
          error === null ? (
            <Skeleton />
          ) : error instanceof ApiFailure && [400, 404].includes(error.statusCode) ? (
            <Empty
              title="This question is not there any more"
              action={
                <Link className="button" href={path}>
                  Ask a new one
                </Link>
              }
            >
              Somebody may have deleted it. The address still works for who asks anew.
            </Empty>
          ) : (
            <Failed error={error} retry={() => void refetch()} />
          )
        ) : own === null ? (
          <>
            <Callout>
              A program made this question, and parts of it have no control here. This is its answer;{" "}
              <Link href={path}>ask a new one</Link> to change what is asked.
            </Callout>
            <div className="tile-body">
              <TileAnswer saved={data} display={null} time={null} every={false} height={420} href={null} />
            </div>
          </>
        ) : (
          <Empty
            title="The question belongs to another page"
            action={
              <Link className="button button-primary" href={`${home}/${own}?q=${data.id}`}>
                Open it there
              </Link>
            }
          >
            {""}
          </Empty>
        )}
      </section>
    </div>
  )
}
