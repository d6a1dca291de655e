import type { FormEvent } from "react"
import { useState } from "react"
import { useMarkerTypes } from "../api/queries.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { numberText } from "../text/Numbers.ts"
import { deniedText } from "../text/Denied.ts"
import { Button } from "../ui/Button.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { pageOfRows } from "../ui/PageOfRows.ts"
import { Pages } from "../ui/Pages.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Callout, Empty, Failed, Skeleton } from "../ui/States.tsx"
import { useUrlState } from "../url/useUrlState.ts"
import { useDescribe } from "./PlanQueries.ts"
import type { MarkerType, Show } from "./PlanState.ts"
import { planCodec, shownTypes, shows, standingOf } from "./PlanState.ts"
import { TypeRow } from "./TypeRow.tsx"
import { TypeSheet } from "./TypeSheet.tsx"
import "../theme/plan.css"
import "../theme/readOnly.css"

/** Types that are drawn at once: a game may have thousands, and each key press in the search draws them anew. */
const typesAtOnce = 100

const showWords: Readonly<Record<Show, string>> = {
  all: "All",
  arriving: "Arriving",
  silent: "Silent for a week",
  pending: "Never arrived",
  hidden: "Hidden"
}

interface PlanProps {
  readonly types: ReadonlyArray<MarkerType>
  readonly denied: string | null
  readonly describe: ReturnType<typeof useDescribe>
}

/** Describes a type before the game sends it. */
const PlanMarker = ({ types, denied, describe }: PlanProps) => {
  const [isOpen, setOpen] = useState(false)
  const [known, setKnown] = useState<string>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const name = String(form.get("name")).trim()
    const description = String(form.get("description")).trim()
    // What is said of a type that is there already would be written over.
    const isKnown = types.some((type) => type.name === name)
    setKnown(isKnown ? name : undefined)
    if (isKnown) return
    const type = description === "" ? { name } : { name, description }
    describe.mutate({ types: [type] }, { onSuccess: () => setOpen(false) })
  }
  const leave = () => {
    setKnown(undefined)
    setOpen(false)
  }
  return isOpen ? (
    <form className="card plan-marker" aria-label="Plan a marker" onSubmit={submit}>
      <label className="field">
        Name, exactly as the game will send it
        <input name="name" maxLength={256} required autoComplete="off" spellCheck={false} />
      </label>
      <label className="field">
        Description
        <input name="description" maxLength={255} autoComplete="off" placeholder="When the game sends it" />
      </label>
      <div className="row">
        <Button type="submit" className="button button-primary" disabled={describe.isPending}>
          Add to the plan
        </Button>
        <button type="button" className="button button-quiet" onClick={leave}>
          Cancel
        </button>
      </div>
      <p className="form-error" role="alert">
        {known !== undefined && `${known} is there already: describe it in the list.`}
      </p>
    </form>
  ) : (
    <DeniableButton denied={denied} onClick={() => setOpen(true)}>
      <Icon name="plus" size={14} />
      Plan a marker
    </DeniableButton>
  )
}

/** The types of markers that the game sends or will send, and what people say of them. */
export const TrackingPlan = () => {
  const { environment, timezone, may } = useProject()
  const where = useWhere()
  const types = useMarkerTypes(where)
  const describe = useDescribe(where)
  const [state, change] = useUrlState(planCodec)
  const [now] = useState(() => Date.now())
  const denied = may("markers:write") ? null : deniedText("markers:write")
  const all = types.data ?? []
  const found = pageOfRows(shownTypes(all, state, now), state.page, typesAtOnce)
  const open = all.find(({ name }) => name === state.type)
  const countOf = (show: Show) => (show === "all" ? all : all.filter((type) => standingOf(type, now) === show)).length
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>Markers &amp; arguments</h1>
          <p>The tracking plan of {environment.name}: what the game sends, and what it means</p>
        </div>
        <PlanMarker types={all} denied={denied} describe={describe} />
      </header>
      {denied !== null && <Callout>You may read the plan. {denied}</Callout>}
      {describe.error !== null && open === undefined && <Callout tone="bad">{describe.error.message}</Callout>}
      <section className="card" aria-label="Marker types">
        {types.data === undefined ? (
          types.error === null ? (
            <Skeleton />
          ) : (
            <Failed error={types.error} retry={() => void types.refetch()} />
          )
        ) : all.length === 0 ? (
          <Empty title="Nothing is planned and nothing has arrived">
            Each thing that happens in the game is a marker. Write down what the game will send, or send the first one:
            types show here by themselves, with their arguments and values.
          </Empty>
        ) : (
          <>
            <div className="toolbar">
              <SearchField
                label="Search markers"
                value={state.search}
                onChange={(search) => change((present) => ({ ...present, search, page: 1 }), { replace: true })}
              />
              <span className="toolbar-end plan-shows">
                <Segmented
                  label="Shown"
                  value={state.show}
                  choices={shows.map((show) => [show, `${showWords[show]} ${numberText(countOf(show))}`] as const)}
                  onChoose={(show) => change((present) => ({ ...present, show, page: 1 }))}
                />
              </span>
            </div>
            {found.rows.length === 0 ? (
              <Empty title="No such marker">Try another word, or all of them.</Empty>
            ) : (
              <div className="table-box" role="region" aria-label="List of marker types" tabIndex={0}>
                <table className="table">
                  <thead>
                    <tr>
                      <th scope="col">Marker</th>
                      <th scope="col">Standing</th>
                      <th scope="col">By day</th>
                      <th scope="col" className="number">
                        30 days
                      </th>
                      <th scope="col">First seen</th>
                      <th scope="col">Last seen</th>
                      <th scope="col" className="number">
                        Arguments
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {found.rows.map((type) => (
                      <TypeRow
                        key={type.name}
                        type={type}
                        now={now}
                        denied={denied}
                        describe={describe}
                        onOpen={() => change((present) => ({ ...present, type: type.name }))}
                      />
                    ))}
                  </tbody>
                </table>
              </div>
            )}
            <Pages
              page={found.page}
              pages={found.pages}
              onPage={(page) => change((present) => ({ ...present, page }))}
            />
            <footer className="card-foot">
              <span>The last 30 days, of which today is not over. Markers past their retention are not counted.</span>
              <span>Days are those of {timezone}.</span>
            </footer>
          </>
        )}
      </section>
      {open !== undefined && (
        <TypeSheet
          where={where}
          type={open}
          denied={denied}
          describe={describe}
          onClose={() => change((present) => ({ ...present, type: "" }))}
        />
      )}
    </div>
  )
}
