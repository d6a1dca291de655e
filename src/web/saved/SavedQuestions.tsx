import { useEffect, useRef, useState } from "react"
import { Link } from "wouter"
import { useMe } from "../api/queries.ts"
import type { Selection } from "../api/savedQueries.ts"
import { useSavedQueries } from "../api/savedQueries.ts"
import { useProject } from "../shell/Project.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { ShowMore } from "../ui/Pages.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { useFieldText } from "../ui/useFieldText.ts"
import type { Codec } from "../url/Codec.ts"
import { useUrlState } from "../url/useUrlState.ts"
import { QuestionTable } from "./QuestionTable.tsx"
import "../theme/saved.css"

const types = [
  ["all", "All"],
  ["insight", "Insights"],
  ["funnel", "Funnels"],
  ["retention", "Retention"],
  ["heatmap", "Heatmaps"]
] as const

const typeOf = (text: string | null): Selection["type"] => {
  const found = types.find(([type]) => type === text)?.[0] ?? "all"
  return found === "all" ? null : found
}

interface Looked {
  readonly search: string
  readonly type: Selection["type"]
  readonly isMine: boolean
  readonly isStarred: boolean
}

const codec: Codec<Looked> = {
  read: (parameters) => ({
    search: parameters.get("search") ?? "",
    type: typeOf(parameters.get("type")),
    isMine: parameters.get("mine") === "1",
    isStarred: parameters.get("starred") === "1"
  }),
  write: ({ search, type, isMine, isStarred }) => {
    const parameters = new URLSearchParams()
    if (search !== "") parameters.set("search", search)
    if (type !== null) parameters.set("type", type)
    if (isMine) parameters.set("mine", "1")
    if (isStarred) parameters.set("starred", "1")
    return parameters
  }
}

/** Milliseconds without a key press after which the list is asked for. */
const pause = 250

/** The field is not controlled, so that no typed character is lost while answers arrive. */
const SearchField = ({ text, onSearch }: { readonly text: string; readonly onSearch: (text: string) => void }) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const field = useFieldText(text)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <input
      ref={field}
      type="search"
      className="input saved-search"
      aria-label="Search saved questions"
      placeholder="Search names and descriptions"
      maxLength={256}
      defaultValue={text}
      onChange={({ target }) => {
        clearTimeout(timer.current)
        timer.current = setTimeout(() => onSearch(target.value.trim()), pause)
      }}
    />
  )
}

/** Questions that the project keeps by name. */
export const SavedQuestions = () => {
  const { applicationId, environment } = useProject()
  const me = useMe()
  const [looked, change] = useUrlState(codec)
  const { search, type, isMine, isStarred } = looked
  const found = useSavedQueries(applicationId, {
    search,
    type,
    isStarred,
    createdBy: isMine ? (me.data?.id ?? null) : null
  })
  const [said, say] = useState("")
  const items = found.data?.pages.flatMap((page) => page.items)
  const isNarrowed = search !== "" || type !== null || isMine || isStarred
  const set = (part: Partial<Looked>, replace = false) => change((state) => ({ ...state, ...part }), { replace })
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>Saved questions</h1>
          <p>Questions that somebody gave a name, for everybody in the project.</p>
        </div>
      </header>
      <section className="card" aria-label="Saved questions" aria-busy={found.isFetching}>
        <div className="toolbar">
          <SearchField text={search} onSearch={(text) => set({ search: text }, true)} />
          <Segmented
            label="Type"
            value={type ?? "all"}
            choices={types}
            onChoose={(chosen) => set({ type: chosen === "all" ? null : chosen })}
          />
          <label className="check">
            <input type="checkbox" checked={isMine} onChange={({ target }) => set({ isMine: target.checked })} />
            Mine
          </label>
          <label className="check">
            <input type="checkbox" checked={isStarred} onChange={({ target }) => set({ isStarred: target.checked })} />
            Starred
          </label>
        </div>
        <p className="unseen" role="status">
          {said}
        </p>
        {items === undefined ? (
          found.error === null ? (
            <Skeleton />
          ) : (
            <Failed error={found.error} retry={() => void found.refetch()} />
          )
        ) : items.length === 0 ? (
          isNarrowed ? (
            <Empty title="No saved question is like that">Try other words, or fewer conditions.</Empty>
          ) : (
            <Empty
              title="No question is saved yet"
              action={
                <Link className="button button-primary" href={`/p/${applicationId}/${environment.alias}/insights`}>
                  Ask a question
                </Link>
              }
            >
              Save one under Insights, Funnels or Retention, and everybody finds it here and can put it on a board.
            </Empty>
          )
        ) : (
          <QuestionTable questions={items} onSay={say} />
        )}
        <ShowMore list={found} />
      </section>
    </div>
  )
}
