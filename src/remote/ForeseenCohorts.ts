import { Either, Option, Schema } from "effect"
import type { ReferenceList } from "../domain/analytics/question/References.ts"
import { cohortCycle, cohortReferences } from "../domain/cohorts/CohortReferences.ts"
import { type CohortAsking, planCohort } from "../domain/cohorts/PlanCohort.ts"
import { CohortId } from "../domain/Ids.ts"
import type { FileProblem } from "./Files.ts"
import { fileSchemas } from "./FileSchemas.ts"
import type { Document } from "../domain/configuration/Document.ts"
import { fieldsWithIds } from "./Naming.ts"
import type { Server } from "./ServerState.ts"
import { isHolding, type PlannedStep } from "./Steps.ts"

/** A cohort as it is while the steps are done, with the cohorts that it refers to. */
interface Known {
  readonly id: CohortId
  readonly name: string
  readonly kind: "static" | "dynamic"
  readonly cohortIds: ReadonlyArray<CohortId>
}

const decode = Schema.decodeUnknownOption(fileSchemas.cohorts)
const isId = Schema.is(CohortId)

interface Read {
  readonly known: Known
  readonly named: ReferenceList | null
}

/** The cohort of these fields, with what its definition refers to, or why there is no plan of it. */
const read = (id: CohortId, fields: Document, asking: CohortAsking) =>
  Option.map(decode(fields), (file): Either.Either<Read, string> => {
    const { name } = file
    if (file.kind === "static")
      return Either.right({ known: { id, name, kind: file.kind, cohortIds: [] }, named: null })
    return Either.mapBoth(planCohort(file.definition, asking), {
      onLeft: ({ message }) => message,
      onRight: (plan) => {
        const named = cohortReferences(plan)
        return { known: { id, name, kind: file.kind, cohortIds: [...named.cohorts] }, named }
      }
    })
  })

/** What the server would refuse of cohorts, one step after the other, since each is checked among those that are there then. */
export const foreseenCohorts = (
  { objects, naming, experiments }: Server,
  steps: ReadonlyArray<PlannedStep>,
  isComplete: boolean,
  asking: CohortAsking
): ReadonlyArray<FileProblem> => {
  const state = new Map<CohortId, Known>()
  for (const { kind, existing } of objects) {
    if (kind !== "cohorts" || !isId(existing.id)) continue
    const found = Option.flatMap(read(existing.id, existing.fields, asking), Either.getRight)
    if (Option.isSome(found)) state.set(existing.id, found.value.known)
  }

  const problemsOf = (id: CohortId, fields: Document): ReadonlyArray<string> => {
    const found = read(id, fields, asking)
    if (Option.isNone(found)) return []
    const before = state.get(id)
    if (Either.isLeft(found.value)) {
      // Nobody knows what it refers to.
      if (before !== undefined) state.set(id, { ...before, cohortIds: [] })
      return [found.value.left]
    }
    const { known, named } = found.value.right
    const foreign = known.cohortIds.filter((each) => each !== id && !state.has(each))
    const cycle = cohortCycle(id, (each) => (each === id ? known.cohortIds : (state.get(each)?.cohortIds ?? [])))
    const absent = [...(named?.experiments.keys() ?? [])].filter((each) => !experiments.some((one) => one.id === each))
    const problems = [
      ...[...state.values()]
        .filter((other) => other.id !== id && other.name === known.name)
        .map(({ name }) => `name: another cohort is called ${name}`),
      ...(isComplete && foreign.length > 0
        ? [
            `definition: refers to the cohort ${foreign.map((each) => naming.nameOf("cohorts", each) ?? each).join(", ")}, which is not there when it is written`
          ]
        : []),
      ...(cycle === null
        ? []
        : [
            `definition: depends on itself: ${cycle.map((each) => naming.nameOf("cohorts", each) ?? each).join(" → ")}`
          ]),
      // Without the permission to read experiments none is known.
      ...(experiments.length > 0 && absent.length > 0
        ? [`definition: refers to the experiment ${absent.join(", ")}, which is not there`]
        : []),
      ...(before?.kind === "dynamic" && known.kind === "static"
        ? ["kind: a cohort becomes static with its members, which no file holds"]
        : [])
    ]
    state.set(id, known)
    return problems
  }

  return steps.flatMap(({ kind, name, written, existing, isApplied }): ReadonlyArray<FileProblem> => {
    const id = existing?.id ?? naming.idOf("cohorts", name)
    if (kind !== "cohorts" || !isApplied || !isId(id)) return []
    if (written !== undefined)
      return problemsOf(id, fieldsWithIds(kind, written.fields, naming)).map((message) => ({
        file: written.file,
        message
      }))
    state.delete(id)
    const uses = [
      ...[...state.values()]
        .filter(({ cohortIds }) => cohortIds.includes(id))
        .map((each) => `${each.name} refers to it`),
      ...experiments
        .filter(({ status, targeting }) => isHolding(status) && targeting.cohortIds.includes(id))
        .map((each) => `the experiment ${each.name} targets it`)
    ]
    return isComplete && uses.length > 0
      ? [{ file: `cohorts/${name}`, message: `it cannot be removed: ${uses.join(", ")}` }]
      : []
  })
}
