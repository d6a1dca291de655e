import { useMemo } from "react"
import { useMarkerTypes, useProperties } from "../api/queries.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { NothingYet } from "../shell/NothingYet.tsx"
import { csvOf } from "../../domain/analytics/table/Csv.ts"
import { download } from "../text/Download.ts"
import { countText } from "../text/Numbers.ts"
import { valueText } from "../text/Values.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { ShowMore } from "../ui/Pages.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { useUrlState } from "../url/useUrlState.ts"
import { useCohorts, usePlayers } from "./PlayerQueries.ts"
import type { PlayersQuestion, Sort } from "./PlayersQuestion.ts"
import { isNarrowed, playersCodec, playersQuery } from "./PlayersQuestion.ts"
import { PlayersForm } from "./PlayersForm.tsx"
import { PlayerTable } from "./PlayerTable.tsx"
import "../theme/players.css"

/** Everybody who plays, to be searched, narrowed down, ordered, and opened. */
export const Players = () => {
  const { timezone } = useProject()
  const where = useWhere()
  const [question, change] = useUrlState(playersCodec)
  const types = useMarkerTypes(where)
  const properties = useProperties(where)
  const cohorts = useCohorts(where)
  const players = usePlayers(
    where,
    useMemo(() => playersQuery(question), [question])
  )
  const items = players.data?.pages.flatMap((page) => page.items) ?? []
  const set = (part: Partial<PlayersQuestion>) => change((state) => ({ ...state, ...part }))
  const order = (sort: Sort) =>
    set(question.sort === sort ? { isReversed: !question.isReversed } : { sort, isReversed: false })
  const save = () =>
    download(
      "players.csv",
      "text/csv",
      csvOf([
        ["player", "last seen", "first seen", "markers", ...question.columns],
        ...items.map(({ unitId, lastSeenAt, firstSeenAt, markerCount, profile }) => [
          unitId,
          lastSeenAt,
          firstSeenAt,
          markerCount,
          ...question.columns.map((name) => valueText(profile[name]))
        ])
      ])
    )

  if (types.data?.length === 0) return <NothingYet title="Players" />
  return (
    <div className="page page-split players-page">
      <header className="page-head">
        <div>
          <h1>Players</h1>
          <p>Whoever sent a marker that is still kept</p>
        </div>
        <CopyButton text={window.location.href} label="Share" />
      </header>
      <PlayersForm
        where={where}
        question={question}
        properties={properties.data ?? []}
        cohorts={cohorts.data ?? []}
        onChange={set}
        onType={(search) => change((state) => ({ ...state, search }), { replace: true })}
      />
      <section className="card" aria-label="Answer" aria-busy={players.isFetching}>
        {players.data === undefined || (players.error !== null && !players.isFetchNextPageError) ? (
          players.error === null ? (
            <Skeleton height={480} />
          ) : (
            <Failed error={players.error} retry={() => void players.refetch()} />
          )
        ) : items.length === 0 ? (
          <Empty
            title={isNarrowed(question) ? "No player is like this" : "No player yet"}
            action={
              isNarrowed(question) ? (
                <button
                  type="button"
                  className="button"
                  onClick={() => set({ search: "", cohortId: null, filters: [] })}
                >
                  Show everybody
                </button>
              ) : undefined
            }
          >
            {isNarrowed(question)
              ? "Ids are compared letter by letter, capitals too. Fewer conditions find more."
              : "A player is listed as soon as a marker names one."}
          </Empty>
        ) : (
          <>
            <PlayerTable items={items} question={question} onSort={order} />
            <footer className="card-foot players-foot">
              <span>
                {countText(items.length, "player")}
                {players.hasNextPage ? ", and more" : ""} · times in {timezone}
              </span>
              <div className="row">
                <button type="button" className="button button-small" onClick={save}>
                  <Icon name="down" size={14} />
                  CSV of these {items.length}
                </button>
                <ShowMore list={players} busy="Asking …" look="button-small" />
              </div>
            </footer>
          </>
        )}
      </section>
    </div>
  )
}
