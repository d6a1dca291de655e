export type RejectionCode =
  | "NOT_AN_OBJECT"
  | "INVALID_TYPE"
  | "INVALID_TIMESTAMP"
  | "INVALID_UNIT_ID"
  | "INVALID_SESSION_ID"
  | "INVALID_SERVER_ID"
  | "INVALID_CLAMPED"
  | "INVALID_PROPERTIES"
  | "INVALID_POSITION"
  | "INVALID_NAME"
  | "INVALID_VALUE"
  | "NESTED_TOO_DEEP"
  | "TOO_MANY_ARGUMENTS"
  | "TOO_MANY_PROPERTIES"
  | "MARKER_TOO_LARGE"
  | "TOO_MANY_TYPES"
  | "TOO_MANY_NAMES"
  | "UNIT_ERASED"

/** Why a marker cannot be stored. Codes are stable; reasons are sentences for people. */
export interface Refusal {
  readonly code: RejectionCode
  readonly reason: string
}

/** A refused marker of a batch: its index from 0, and its id as sent (null if that was no text). */
export interface Rejection extends Refusal {
  readonly index: number
  readonly markerId: string | null
}

/** A refusal with its code and reason. */
export const refuse = (code: RejectionCode, reason: string): Refusal => ({ code, reason })
