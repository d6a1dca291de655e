import type { FormEvent } from "react"
import { useMemo, useState } from "react"
import { Link, useLocation } from "wouter"
import { ApiFailure } from "../api/Failure.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { ChangedMeanwhile } from "../ui/kept/ChangedMeanwhile.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { KeptNotice } from "../ui/kept/KeptNotice.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Callout, Failed } from "../ui/States.tsx"
import { useKept } from "../ui/kept/useKept.ts"
import { namesExperiments, useChoices } from "./Choices.ts"
import type { CohortDraft } from "./CohortDraft.ts"
import { cohortDraft, cohortPlace, cohortShape } from "./CohortDraft.ts"
import type { Cohort } from "./CohortQueries.ts"
import { useCohortWrites } from "./CohortQueries.ts"
import { definitionBody } from "./DefinitionOf.ts"
import { ListFields, problemOfList } from "./ListFields.tsx"
import { Preview } from "./Preview.tsx"
import { RuleGroup } from "./RuleGroup.tsx"
import { conditionsIn } from "./Rules.ts"
import { sentenceOf } from "./RuleWords.ts"
import { useSave } from "./useSave.ts"
import { useOnward } from "../url/useOnward.ts"
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
  const onward = useOnward()
  const [fresh] = useState(() => cohortDraft(cohort, timezone))
  const typed = useKept(cohortPlace(where.environmentId, cohort?.id ?? null), cohortShape)
  const { kind, name, description, group, list, basedOn } = typed.draft ?? fresh
  const change = (part: Partial<CohortDraft>) => typed.change((present) => ({ ...(present ?? fresh), ...part }))
  const choices = useChoices(where, cohort?.id ?? null, namesExperiments(group) || kind === "dynamic")
  const definition = useMemo(() => definitionBody(group, timezone), [group, timezone])
  const place = `/p/${applicationId}/${environment.alias}/cohorts`
  const writes = useCohortWrites(where)
  const save = useSave(writes, cohort, ({ id }) => {
    typed.discard()
    onward(`${place}/${id}`)
  })
  const keepsList = cohort?.kind === "static" && list === null
  const isFilled =
    kind === "dynamic" ? definition !== null : keepsList || (list !== null && problemOfList(list) === null)
  const denied = may("cohorts:write")
    ? null
    : deniedTo(cohort === null ? "A new cohort" : "Editing it", "cohorts:write")
  const lacks =
    name.trim() === ""
      ? "A cohort needs a name."
      : isFilled
        ? null
        : kind === "dynamic"
          ? "It has no condition yet, or one is not complete."
          : list === null
            ? "It needs the list of its players."
            : problemOfList(list)
  const body = () => {
    const words = { name: name.trim(), description: description.trim() === "" ? null : description.trim() }
    if (kind === "dynamic") return definition === null ? null : { ...words, kind: "dynamic" as const, definition }
    return { ...words, kind: "static" as const, ...(list === null ? {} : { unitIds: list.ids }) }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const written = body()
    if (written !== null && denied === null) save.save({ body: written, basedOn })
  }
  return (
    <form className="page page-cohort" onSubmit={submit}>
      <header className="page-head">
        <div>
          <h1>{cohort === null ? "New cohort" : `Edit ${cohort.name}`}</h1>
          <p>{kind === "dynamic" ? sentenceOf(group, choices.names) : "The players of a list, until it is replaced"}</p>
        </div>
        <div className="row">
          <Link className="button" href={cohort === null ? place : `${place}/${cohort.id}`} onClick={typed.discard}>
            Cancel
          </Link>
          <DeniableButton type="submit" look="button-primary" denied={denied ?? lacks} isBusy={save.isPending}>
            {save.isPending ? "Saving …" : cohort === null ? "Make the cohort" : "Save"}
          </DeniableButton>
        </div>
      </header>
      {typed.wasKept && (
        <KeptNotice
          what={cohort === null ? "This cohort" : "What you changed of this cohort"}
          onDiscard={typed.discard}
        />
      )}
      {denied !== null && <Callout>{denied}</Callout>}
      {save.error !== null && <Callout tone="bad">{refusalWords(save.error)}</Callout>}
      {save.isOutdated && (
        <ChangedMeanwhile
          what="this cohort"
          isBusy={save.isPending}
          onTheirs={() => {
            typed.discard()
            navigate(`${place}/${cohort?.id ?? ""}`)
          }}
          onMine={save.saveOverTheirs}
        />
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
              onChange={(event) => change({ name: event.target.value })}
            />
            {cohort !== null && name.trim() !== cohort.name && (
              <small>
                Games ask for a cohort by its name: those that ask for “{cohort.name}” find nobody from then on.
              </small>
            )}
          </label>
          <label className="field">
            Description
            <input
              value={description}
              maxLength={255}
              autoComplete="off"
              placeholder="What it is for"
              onChange={(event) => change({ description: event.target.value })}
            />
          </label>
        </div>
        {cohort === null && (
          <Segmented label="Who belongs" value={kind} choices={ways} onChoose={(next) => change({ kind: next })} />
        )}
        {kind === "dynamic" && choices.error !== null && <Failed error={choices.error} retry={choices.retry} />}
        {kind === "dynamic" ? (
          <RuleGroup
            group={group}
            choices={choices}
            timezone={timezone}
            depth={1}
            count={conditionsIn(group)}
            onChange={(next) => change({ group: next })}
          />
        ) : (
          <>
            {cohort !== null && (
              <p className="faint">Its members stay unless you give another list, which replaces them.</p>
            )}
            <ListFields key={typed.wasKept ? "kept" : "new"} list={list} onChange={(next) => change({ list: next })} />
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
