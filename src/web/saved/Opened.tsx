import type { ReactNode } from "react"
import { createContext, useContext, useMemo } from "react"
import { Link, useLocation, useSearch } from "wouter"
import { ApiFailure } from "../api/Failure.ts"
import { useSavedQuery } from "../api/savedQueries.ts"
import { useProject } from "../shell/Project.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import type { Kind, SavedQuestion } from "./Kind.ts"
import { pageOf } from "./Kind.ts"

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
          ) : error instanceof ApiFailure && error.statusCode === 404 ? (
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
        ) : (
          <Empty
            title={own === null ? "This page cannot show the question" : "The question belongs to another page"}
            action={
              own === null ? (
                <Link className="button" href={`${home}/boards`}>
                  Open the boards
                </Link>
              ) : (
                <Link className="button button-primary" href={`${home}/${own}?q=${data.id}`}>
                  Open it there
                </Link>
              )
            }
          >
            {own === null
              ? "It was made by a program and has parts that have no control here. A board shows its answer."
              : ""}
          </Empty>
        )}
      </section>
    </div>
  )
}
