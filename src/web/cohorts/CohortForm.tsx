import type { FormEvent } from "react"
import { useMemo, useState } from "react"
import { Link, useLocation } from "wouter"
import { ApiFailure } from "../api/Failure.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Callout } from "../ui/States.tsx"
import { namesExperiments, useChoices } from "./Choices.ts"
import type { Cohort } from "./CohortQueries.ts"
import { useCohortWrites } from "./CohortQueries.ts"
import { definitionBody } from "./DefinitionOf.ts"
import { ListFields, problemOfList } from "./ListFields.tsx"
import type { PlayerList } from "./PlayerList.ts"
import { Preview } from "./Preview.tsx"
import { RuleGroup } from "./RuleGroup.tsx"
import type { Group } from "./Rules.ts"
import { conditionsIn, freshCondition, freshGroup } from "./Rules.ts"
import { groupOf } from "./RulesOf.ts"
import { sentenceOf } from "./RuleWords.ts"
import { useSave } from "./useSave.ts"
import { deniedTo } from "../text/Denied.ts"
import "../theme/cohorts.css"

const ways = [
  ["dynamic", "By what they do"],
  ["static", "By a list"]
] as const

/** Words for a refusal: what stands in the way, and what to do about it. */
const refusalWords = (error: Error): string =>
  error instanceof ApiFailure && error.code === "COHORT_CYCLE"
    ? `${error.message}. Remove the condition that leads back to this cohort.`
    : error.message

/** Makes a cohort, or changes one. */
export const CohortForm = ({ cohort }: { readonly cohort: Cohort | null }) => {
  const { applicationId, environment, timezone, may } = useProject()
  const where = useWhere()
  const [, navigate] = useLocation()
  const [kind, setKind] = useState<Cohort["kind"]>(cohort?.kind ?? "dynamic")
  const [name, setName] = useState(cohort?.name ?? "")
  const [description, setDescription] = useState(cohort?.description ?? "")
  const [group, setGroup] = useState<Group>(() => {
    const definition = cohort?.definition ?? null
    return definition === null ? freshGroup([freshCondition()]) : groupOf(definition, timezone)
  })
  const [list, setList] = useState<PlayerList | null>(null)
  const choices = useChoices(where, cohort?.id ?? null, namesExperiments(group) || kind === "dynamic")
  const definition = useMemo(() => definitionBody(group, timezone), [group, timezone])
  const place = `/p/${applicationId}/${environment.alias}/cohorts`
  const writes = useCohortWrites(where)
  const save = useSave(where, writes, cohort, ({ id }) => navigate(`${place}/${id}`))
  const keepsList = cohort?.kind === "static" && list === null
  const isFilled =
    kind === "dynamic" ? definition !== null : keepsList || (list !== null && problemOfList(list) === null)
  const isAllowed = may("cohorts:write")
  const body = () => {
    const words = { name: name.trim(), description: description.trim() === "" ? null : description.trim() }
    if (kind === "dynamic") return definition === null ? null : { ...words, kind: "dynamic" as const, definition }
    return { ...words, kind: "static" as const, ...(list === null ? {} : { unitIds: list.ids }) }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const written = body()
    if (written !== null && isAllowed) save.save(written)
  }
  return (
    <form className="page page-cohort" onSubmit={submit}>
      <header className="page-head">
        <div>
          <h1>{cohort === null ? "New cohort" : `Edit ${cohort.name}`}</h1>
          <p>{kind === "dynamic" ? sentenceOf(group, choices.names) : "The players of a list, until it is replaced"}</p>
        </div>
        <div className="row">
          <Link className="button" href={cohort === null ? place : `${place}/${cohort.id}`}>
            Cancel
          </Link>
          <button
            type="submit"
            className="button button-primary"
            disabled={!isAllowed || !isFilled || name.trim() === "" || save.isPending}
            title={isAllowed ? undefined : deniedTo("A new cohort", "cohorts:write")}
          >
            {save.isPending ? "Saving …" : cohort === null ? "Make the cohort" : "Save"}
          </button>
        </div>
      </header>
      {!isAllowed && <Callout>{deniedTo("A new cohort", "cohorts:write")}</Callout>}
      {save.error !== null && <Callout tone="bad">{refusalWords(save.error)}</Callout>}
      {save.isOutdated && (
        <Callout tone="bad">
          Somebody changed this cohort after you opened it. Saving would undo their change.{" "}
          <a href={`${place}/${cohort?.id ?? ""}`} target="_blank" rel="noreferrer">
            See theirs
          </a>{" "}
          <button type="button" className="button button-small" onClick={save.overwrite}>
            Save mine all the same
          </button>
        </Callout>
      )}
      <section className="card cohort-fields" aria-label="Cohort">
        <div className="cohort-names">
          <label className="field">
            Name
            <input
              value={name}
              maxLength={100}
              required
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          </label>
          <label className="field">
            Description
            <input
              value={description}
              maxLength={255}
              autoComplete="off"
              placeholder="What it is for"
              onChange={(event) => setDescription(event.target.value)}
            />
          </label>
        </div>
        {cohort === null && <Segmented label="Who belongs" value={kind} choices={ways} onChoose={setKind} />}
        {kind === "dynamic" ? (
          <RuleGroup
            group={group}
            choices={choices}
            timezone={timezone}
            depth={1}
            count={conditionsIn(group)}
            onChange={setGroup}
          />
        ) : (
          <>
            {cohort !== null && (
              <p className="faint">Its members stay unless you give another list, which replaces them.</p>
            )}
            <ListFields list={list} onChange={setList} />
          </>
        )}
      </section>
      {kind === "dynamic" && (
        <aside className="card" aria-label="Who would belong">
          <h2>Who would belong now</h2>
          <Preview definition={definition} />
        </aside>
      )}
    </form>
  )
}
