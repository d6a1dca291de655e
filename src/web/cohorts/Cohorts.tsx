import type { ReactNode } from "react"
import { useMemo } from "react"
import { Link } from "wouter"
import { useCohorts } from "../api/queries.ts"
import { Spark } from "../charts/Spark.tsx"
import { useProject, useWhere } from "../shell/Project.tsx"
import { countText, numberText } from "../text/Numbers.ts"
import { isFound } from "../text/Search.ts"
import { bucketName } from "../text/Times.ts"
import { deniedText } from "../text/Denied.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { pageOfRows } from "../ui/PageOfRows.ts"
import { Pages } from "../ui/Pages.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { rowsAtOnce } from "../url/SearchedList.ts"
import { useUrlState } from "../url/useUrlState.ts"
import type { Cohort, Use } from "./CohortQueries.ts"
import { useCohortChanges, useUsages } from "./CohortQueries.ts"
import { kindWords, referringTo, stateOf, stateWords, usageWords } from "./CohortWords.ts"
import { listCodec } from "./ListState.ts"
import "../theme/cohorts.css"

const kindChoices = [
  ["all", "All"],
  ["dynamic", "By what they do"],
  ["static", "By a list"]
] as const

export const CohortStatus = ({ cohort }: { readonly cohort: Cohort }) => {
  const state = stateOf(cohort)
  return (
    <span className={`status status-${state}`} title={cohort.error ?? undefined}>
      {stateWords[state]}
    </span>
  )
}

/** How a cohort's size developed over the days, and who uses it. */
const Row = ({
  cohort,
  use,
  referring
}: {
  readonly cohort: Cohort
  /** Undefined until it is there. */
  readonly use: Use | undefined
  readonly referring: number
}) => {
  const { applicationId, environment, timezone } = useProject()
  const sizes = use?.perDay90.slice(use.perDay90.findIndex((size) => size !== null)) ?? []
  const [first = 0] = sizes
  return (
    <tr>
      <th scope="row" className="cohort-name">
        <Link href={`/p/${applicationId}/${environment.alias}/cohorts/${cohort.id}`}>{cohort.name}</Link>
        {cohort.description !== null && <small className="faint">{cohort.description}</small>}
      </th>
      <td className="number">{stateOf(cohort) === "collecting" ? "–" : numberText(cohort.memberCount)}</td>
      <td>
        {sizes.length > 1 && (
          <Spark
            values={sizes}
            label={`From ${numberText(first)} to ${countText(cohort.memberCount, "player")} in ${sizes.length} days`}
          />
        )}
      </td>
      <td>
        <CohortStatus cohort={cohort} />
      </td>
      <td className="faint">{kindWords[cohort.kind]}</td>
      <td>{use === undefined ? "" : usageWords(use, referring)}</td>
      <td className="faint">{cohort.computedAt === null ? "–" : bucketName(cohort.computedAt, "hour", timezone)}</td>
    </tr>
  )
}

const NoCohort = ({ action }: { readonly action: ReactNode }) => (
  <Empty title="Name a group of players once, ask about it everywhere" action={action}>
    A cohort is a set of players: by what they did and are, kept up to date by itself, or by a list. Questions can be
    narrowed to it and compare it with the others, experiments can be aimed at it, and the game can ask who is in it.
  </Empty>
)

const NewCohort = () => {
  const { applicationId, environment, may } = useProject()
  return may("cohorts:write") ? (
    <Link className="button button-primary" href={`/p/${applicationId}/${environment.alias}/cohorts/new`}>
      <Icon name="plus" size={14} />
      New cohort
    </Link>
  ) : (
    <DeniableButton denied={deniedText("cohorts:write")}>
      <Icon name="plus" size={14} />
      New cohort
    </DeniableButton>
  )
}

/** The cohorts of the environment. */
export const Cohorts = () => {
  const { timezone } = useProject()
  const where = useWhere()
  const cohorts = useCohorts(where)
  const uses = useUsages(where)
  useCohortChanges(where)
  const [{ search, kind, page }, change] = useUrlState(listCodec)
  const all = useMemo(
    () => (cohorts.data ?? []).toSorted((left, right) => left.name.localeCompare(right.name)),
    [cohorts.data]
  )
  const referring = useMemo(() => referringTo(all, timezone), [all, timezone])
  const found = all
    .filter((cohort) => kind === "all" || cohort.kind === kind)
    .filter(({ name, description }) => isFound(search, name, description))
  const shown = pageOfRows(found, page, rowsAtOnce)
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>Cohorts</h1>
          <p>Named groups of players, to ask about and to aim at</p>
        </div>
        <NewCohort />
      </header>
      <section className="card" aria-label="Cohorts">
        {cohorts.data === undefined ? (
          cohorts.error === null ? (
            <Skeleton />
          ) : (
            <Failed error={cohorts.error} retry={() => void cohorts.refetch()} />
          )
        ) : all.length === 0 ? (
          <NoCohort action={<NewCohort />} />
        ) : (
          <>
            <div className="toolbar">
              <SearchField
                label="Search cohorts"
                value={search}
                onChange={(text) => change((state) => ({ ...state, search: text, page: 1 }), { replace: true })}
              />
              <span className="toolbar-end">
                <Segmented
                  label="Kind"
                  value={kind}
                  choices={kindChoices}
                  onChoose={(next) => change((state) => ({ ...state, kind: next, page: 1 }))}
                />
              </span>
            </div>
            {found.length === 0 ? (
              <Empty title="No such cohort">Try another word, or all kinds.</Empty>
            ) : (
              <div className="table-box" role="region" aria-label="List of cohorts" tabIndex={0}>
                <table className="table">
                  <thead>
                    <tr>
                      <th scope="col">Cohort</th>
                      <th scope="col" className="number">
                        Players
                      </th>
                      <th scope="col">Over time</th>
                      <th scope="col">Status</th>
                      <th scope="col">Who belongs</th>
                      <th scope="col">Used by</th>
                      <th scope="col">Computed</th>
                    </tr>
                  </thead>
                  <tbody>
                    {shown.rows.map((cohort) => (
                      <Row
                        key={cohort.id}
                        cohort={cohort}
                        use={uses.data?.find(({ id }) => id === cohort.id)}
                        referring={referring.get(cohort.id)?.length ?? 0}
                      />
                    ))}
                  </tbody>
                </table>
              </div>
            )}
            <Pages
              page={shown.page}
              pages={shown.pages}
              onPage={(next) => change((state) => ({ ...state, page: next }))}
            />
            <footer className="card-foot">
              <span>Lines show up to 90 days.</span>
              <span>Times are {timezone}.</span>
            </footer>
          </>
        )}
      </section>
    </div>
  )
}
