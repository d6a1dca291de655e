import { Effect } from "effect"
import {
  type CohortAnswers,
  type MemberChange,
  type StoreQuestion,
  unpackNames
} from "../../../../../src/adapters/sqlite/events/cohorts/CohortQuestion.ts"
import { answerOf } from "../../../../../src/domain/analytics/question/Answer.ts"
import type { QuestionOf } from "../../../../../src/domain/analytics/question/Question.ts"
import { CohortId } from "../../../../../src/domain/Ids.ts"
import { environments, isWhole, memory, world } from "./GoldenWorld.ts"
import { questions } from "./Questions.ts"

export interface Asked {
  readonly name: string
  readonly environmentId: number
  readonly question: StoreQuestion
}

const catalogueKinds: ReadonlySet<string> = new Set(["types", "names", "values", "versions"])

/** Every question of every environment. The catalogue goes on telling of markers that are gone. */
export const asked: ReadonlyArray<Asked> = environments.flatMap((environmentId) =>
  Object.entries(questions).flatMap(([kind, plans]) =>
    isWhole(environmentId) || !catalogueKinds.has(kind)
      ? Object.entries(plans).map(([name, plan]) => ({
          name: `${environmentId} ${kind}: ${name}`,
          environmentId,
          question: { kind, plan } as StoreQuestion
        }))
      : []
  )
)

const summary = ({ at, memberCount, entered, nameCount, left }: MemberChange) => ({
  at,
  memberCount,
  entered: entered.length + nameCount,
  left: left.length
})

/** What of an answer does not depend on the numbers that a file has given to units and to generations. */
export const comparable = (question: StoreQuestion, answer: unknown): unknown =>
  JSON.parse(JSON.stringify(question.kind === "cohortChange" ? summary(answer as MemberChange) : answer))

const changeOf = (environmentId: number, { cohortId, wanted, now }: CohortAnswers["cohortChange"]["plan"]) => {
  const { members } = memory()
  const id = CohortId.make(cohortId)
  const { at, memberCount, entered, left } = Effect.runSync(
    wanted instanceof Uint8Array
      ? members.replace(environmentId, id, unpackNames(wanted), now)
      : members.recompute(environmentId, id, wanted, now)
  )
  return { at, memberCount, entered, left }
}

const known = memory()

/** The definition of the answer: the pure functions over the same markers. */
export const definedAnswer = ({ environmentId, question }: Asked): unknown => {
  const { members } = known
  const answer = (): unknown => {
    switch (question.kind) {
      case "cohortChange":
        return changeOf(environmentId, question.plan)
      case "cohortUnits": {
        const { count, sample } = Effect.runSync(
          members.evaluate(environmentId, question.plan.plan, question.plan.limit)
        )
        return { count, sample }
      }
      case "cohortMembers":
        return Effect.runSync(members.members(environmentId, CohortId.make(question.plan.cohortId), question.plan))
      case "cohortCount":
        return Effect.runSync(members.count(environmentId, CohortId.make(question.plan.cohortId), question.plan.at))
      case "cohortStays": {
        const { cohortId, unitIds, at } = question.plan
        return Effect.runSync(members.membership(environmentId, CohortId.make(cohortId), unitIds, at))
      }
      case "cohortsOfUnit":
        return Effect.runSync(members.ofUnit(environmentId, question.plan.unitId))
      default:
        return answerOf(
          world.markers[environmentId]!,
          question as QuestionOf<typeof question.kind>,
          known.memberships(environmentId)
        )
    }
  }
  return JSON.parse(JSON.stringify(answer() ?? null))
}
