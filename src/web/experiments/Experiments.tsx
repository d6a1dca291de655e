import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useMemo, useState } from "react"
import { Link, useLocation } from "wouter"
import { call } from "../api/client.ts"
import { useFollow } from "../api/Follow.ts"
import { place, useExperimentsAndDrafts } from "../api/queries.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { useShortcuts } from "../shell/Shortcuts.ts"
import { countText } from "../text/Numbers.ts"
import { Button } from "../ui/Button.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { useUrlState } from "../url/useUrlState.ts"
import { Calendar } from "./Calendar.tsx"
import { ExperimentRow } from "./ExperimentRow.tsx"
import { lacking } from "./ExperimentWords.ts"
import { lanesOf, weeksShown, windowAt } from "./Lanes.ts"
import type { AnyExperiment } from "../api/Started.ts"
import type { ListState } from "./ListState.ts"
import { atOnce, listCodec, listed, standings } from "./ListState.ts"
import "../theme/experiments.css"

const views = [
  ["table", "Table"],
  ["calendar", "Calendar"]
] as const

const followed = ["experiments", "experiment counts"]

const NewButton = () => {
  const { applicationId, environment, may } = useProject()
  return may("experiments:write") ? (
    <Link className="button button-primary" href={`/p/${applicationId}/${environment.alias}/experiments/new`}>
      <Icon name="plus" size={14} />
      New experiment
    </Link>
  ) : (
    <DeniableButton denied={lacking}>
      <Icon name="plus" size={14} />
      New experiment
    </DeniableButton>
  )
}

const NoExperiment = ({ action }: { readonly action: ReactNode }) => (
  <Empty title="Try a change on some players before all get it" action={action}>
    An experiment gives groups of players other values of a configuration and compares what they do: which price sells,
    which tutorial keeps players. The game needs no update, and whoever is in a group stays in it.
  </Empty>
)

interface ViewProps {
  readonly found: ReadonlyArray<AnyExperiment>
  readonly state: ListState
  readonly now: number
  readonly change: (update: (state: ListState) => ListState, options?: { readonly replace?: boolean }) => void
}

const Table = ({ found, state, now, change }: ViewProps) => {
  const where = useWhere()
  const counts = useQuery({
    queryKey: ["experiment counts", where],
    queryFn: ({ signal }) => call("experiments.assignmentCounts", { ...place(where), signal })
  })
  const players = useMemo(
    () => new Map(counts.data?.map(({ experimentId, count }) => [experimentId, count])),
    [counts.data]
  )
  return (
    <>
      <div className="table-box list-table-box" role="region" aria-label="List of experiments" tabIndex={0}>
        <table className="table list-table experiment-table">
          <thead>
            <tr>
              <th scope="col">Experiment</th>
              <th scope="col">Status</th>
              <th scope="col">Phase</th>
              <th scope="col">Start</th>
              <th scope="col" className="number">
                To go
              </th>
              <th scope="col" className="number">
                Players
              </th>
              <th scope="col">Verdict</th>
              <th scope="col">Layer</th>
              <th scope="col">Owner</th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, state.shown).map((experiment) => (
              <ExperimentRow
                key={experiment.id}
                where={where}
                experiment={experiment}
                players={players.get(experiment.id)}
                now={now}
              />
            ))}
          </tbody>
        </table>
      </div>
      {found.length > state.shown && (
        <button
          type="button"
          className="button more"
          onClick={() => change((each) => ({ ...each, shown: each.shown + atOnce }), { replace: true })}
        >
          Show more ({countText(found.length - state.shown, "experiment")} left)
        </button>
      )}
    </>
  )
}

const OverTime = ({ found, state, now, change }: ViewProps) => {
  const window = windowAt(now, state.weeks)
  const move = (weeks: number) => change((each) => ({ ...each, weeks }), { replace: true })
  return (
    <>
      <div className="row calendar-moves">
        <button type="button" className="button button-small" onClick={() => move(state.weeks - weeksShown / 2)}>
          Earlier
        </button>
        <Button type="button" className="button button-small" disabled={state.weeks === 0} onClick={() => move(0)}>
          Today
        </Button>
        <button type="button" className="button button-small" onClick={() => move(state.weeks + weeksShown / 2)}>
          Later
        </button>
      </div>
      <Calendar lanes={lanesOf(found, now, window.to)} window={window} now={now} />
    </>
  )
}

/** The experiments of the environment, as a table and over time. */
export const Experiments = () => {
  const { applicationId, environment, timezone, may } = useProject()
  const where = useWhere()
  const [, navigate] = useLocation()
  const experiments = useExperimentsAndDrafts(where)
  useFollow(where, "experiments", followed)
  const [state, change] = useUrlState(listCodec)
  const [now] = useState(() => Date.now())
  const create = `/p/${applicationId}/${environment.alias}/experiments/new`
  const isAllowed = may("experiments:write")
  useShortcuts(
    useMemo(
      () => (isAllowed ? [{ keys: "n", words: "New experiment", run: () => navigate(create) }] : []),
      [create, isAllowed, navigate]
    )
  )
  const all = experiments.data ?? []
  const found = useMemo(() => listed(experiments.data ?? [], state), [experiments.data, state])
  const view = { found, state, now, change }
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>Experiments</h1>
          <p>Changes that some players get first, and what came of them</p>
        </div>
        <NewButton />
      </header>
      <section className="card" aria-label="Experiments">
        {experiments.data === undefined ? (
          experiments.error === null ? (
            <Skeleton />
          ) : (
            <Failed error={experiments.error} retry={() => void experiments.refetch()} />
          )
        ) : all.length === 0 ? (
          <NoExperiment action={<NewButton />} />
        ) : (
          <>
            <div className="toolbar">
              <Segmented
                label="View"
                value={state.view}
                choices={views}
                onChoose={(next) => change((each) => ({ ...each, view: next }))}
              />
              <SearchField
                label="Search experiments"
                value={state.search}
                onChange={(search) => change((each) => ({ ...each, search }), { replace: true })}
              />
              <span className="toolbar-end">
                <Segmented
                  label="Status"
                  value={state.standing}
                  choices={standings}
                  onChoose={(standing) => change((each) => ({ ...each, standing }))}
                />
              </span>
            </div>
            {found.length === 0 ? (
              <Empty title="No such experiment">Try another word, or all of them.</Empty>
            ) : state.view === "table" ? (
              <Table {...view} />
            ) : (
              <OverTime {...view} />
            )}
            <footer className="card-foot">
              <span>
                {state.view === "table"
                  ? "Players are all who have been enrolled. Verdicts are of goals and guardrails together."
                  : "Strong bars are what has been, pale ones what is planned; a number is the share of players."}
              </span>
              <span>Times are {timezone}.</span>
            </footer>
          </>
        )}
      </section>
    </div>
  )
}
