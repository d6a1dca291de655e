import type { CohortPlan } from "../../../../domain/cohorts/CohortPlan.ts"
import type { CohortId } from "../../../../domain/Ids.ts"
import type { Member, MembersPage, Stay } from "../../../../ports/cohorts/CohortMembers.ts"
import type { Answers } from "../../../../domain/analytics/question/Question.ts"
import { trustedJson } from "../bytes/TrustedJson.ts"

/**
 * The change from a cohort's current members to wanted ones. Units are dictionary numbers; those not in the dictionary
 * yet are listed in `names`.
 */
export interface MemberChange {
  readonly cohortId: number
  /**
   * The revision of the members it was computed from, 0 for none: `swap` refuses the change if it is no longer current.
   */
  readonly revision: number
  /** Epoch ms of the new generation; later than that of the generation before. */
  readonly at: number
  readonly memberCount: number
  readonly entered: Uint32Array
  /** The names as JSON text in UTF-8, which is cheaper to pass between threads than an array of strings. */
  readonly names: Uint8Array
  readonly nameCount: number
  readonly left: Uint32Array
}

/** The questions about cohorts, each with its plan and its answer. */
export interface CohortAnswers {
  readonly cohortChange: {
    /** Which members are wanted: a plan to compute them, or their names in the form of `MemberChange.names`. */
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

/** Every question a reader can be asked: the events' and the cohorts'. */
export interface StoreAnswers extends Answers, CohortAnswers {}

type Asking<Kind extends keyof StoreAnswers> = {
  readonly [Each in Kind]: { readonly kind: Each; readonly plan: StoreAnswers[Each]["plan"] }
}[Kind]

export type CohortQuestion = Asking<keyof CohortAnswers>

export type StoreQuestion = Asking<keyof StoreAnswers>

/** A question of the given kind. */
export type StoreQuestionOf<Kind extends keyof StoreAnswers> = Asking<Kind> & StoreQuestion

export const packNames = (names: ReadonlyArray<string>): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(names))

export const unpackNames = (packed: Uint8Array): ReadonlyArray<string> => trustedJson(new TextDecoder().decode(packed))
