import type { CohortPlan } from "../../../../domain/cohorts/CohortPlan.ts"
import type { CohortId } from "../../../../domain/Ids.ts"
import type { Member, MembersPage, Stay } from "../../../../ports/cohorts/CohortMembers.ts"
import type { Answers } from "../../../../domain/analytics/question/Question.ts"

/** How the members of a cohort are to change. Units have the numbers of the dictionary; those without one stand in `names`. */
export interface MemberChange {
  readonly cohortId: number
  /** Revision of the members it was compared with, 0 for none. */
  readonly revision: number
  /** Epoch milliseconds of the new generation, after the one before. */
  readonly at: number
  readonly memberCount: number
  readonly entered: Uint32Array
  /** JSON text of the list of names in UTF-8. */
  readonly names: Uint8Array
  readonly nameCount: number
  readonly left: Uint32Array
}

/** What is asked about cohorts, with the answers' shapes. */
export interface CohortAnswers {
  readonly cohortChange: {
    /** The members wanted: by plan, or the names themselves as in MemberChange. */
    readonly plan: { readonly cohortId: number; readonly wanted: CohortPlan | Uint8Array; readonly now: number }
    readonly answer: MemberChange
  }
  readonly cohortUnits: {
    readonly plan: { readonly plan: CohortPlan; readonly limit: number }
    readonly answer: { readonly count: number; readonly sample: ReadonlyArray<string> }
  }
  readonly cohortMembers: {
    readonly plan: MembersPage & { readonly cohortId: number }
    readonly answer: ReadonlyArray<Member>
  }
  readonly cohortCount: {
    readonly plan: { readonly cohortId: number; readonly at: number | null }
    readonly answer: number
  }
  readonly cohortStays: {
    readonly plan: { readonly cohortId: number; readonly unitIds: ReadonlyArray<string>; readonly at: number | null }
    readonly answer: ReadonlyArray<Stay>
  }
  readonly cohortsOfUnit: {
    readonly plan: { readonly unitId: string }
    readonly answer: ReadonlyArray<{ readonly cohortId: CohortId; readonly enteredAt: number }>
  }
}

/** Everything a reader can be asked. */
export interface StoreAnswers extends Answers, CohortAnswers {}

type Asking<Kind extends keyof StoreAnswers> = {
  readonly [Each in Kind]: { readonly kind: Each; readonly plan: StoreAnswers[Each]["plan"] }
}[Kind]

export type CohortQuestion = Asking<keyof CohortAnswers>

export type StoreQuestion = Asking<keyof StoreAnswers>

/** One question of a given kind. */
export type StoreQuestionOf<Kind extends keyof StoreAnswers> = Asking<Kind> & StoreQuestion

export const packNames = (names: ReadonlyArray<string>): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(names))

export const unpackNames = (packed: Uint8Array): ReadonlyArray<string> => JSON.parse(new TextDecoder().decode(packed))
