import type { DateTime } from "effect"
import { Schema } from "effect"
import type { Principal } from "../../access/Principal.ts"
import type { ApplicationId, EnvironmentId, ExecutionId, QueryId } from "../../Ids.ts"
import { ApiKeyId, OrganizationId, UserId } from "../../Ids.ts"

/** On whose behalf an execution runs: it identifies the person or key, and permissions are looked up when it runs. */
export const Requester = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("session"), userId: UserId }),
  Schema.Struct({ kind: Schema.Literal("personal"), userId: UserId, keyId: ApiKeyId }),
  Schema.Struct({ kind: Schema.Literal("key"), organizationId: OrganizationId, keyId: ApiKeyId }),
  Schema.Struct({ kind: Schema.Literal("system") })
)
export type Requester = typeof Requester.Type

/** The requester that stands for a principal. */
export const requesterOf = (principal: Principal): Requester => {
  switch (principal.kind) {
    case "session":
      return { kind: "session", userId: principal.userId }
    case "personal":
      return { kind: "personal", userId: principal.userId, keyId: principal.key.id }
    case "system":
      return { kind: "system" }
    default:
      return { kind: "key", organizationId: principal.key.organizationId, keyId: principal.key.id }
  }
}

export const ExecutionState = Schema.Literal("queued", "running", "succeeded", "failed", "canceled")
export type ExecutionState = typeof ExecutionState.Type

/** How far a question has come. Both numbers may grow while it runs. */
export interface ScanProgress {
  readonly rowsScanned: number
  readonly rowsTotal: number
}

/** A background run of a saved query, with the definition as it was when the run was requested. */
export interface Execution extends ScanProgress {
  readonly id: ExecutionId
  readonly queryId: QueryId
  readonly applicationId: ApplicationId
  readonly environmentId: EnvironmentId
  /** Unique within query and environment. */
  readonly idempotencyKey: string | null
  readonly requester: Requester
  /** Type and specification as JSON, in the form of the API. */
  readonly definition: string
  readonly state: ExecutionState
  /** JSON in the form of the API; null unless the execution succeeded. */
  readonly result: string | null
  /** Null unless the execution failed. */
  readonly error: { readonly code: string; readonly message: string } | null
  /** How often it was begun, this time included, without coming to an end. A server that was stopped in an orderly way does not count. */
  readonly attempts: number
  readonly requestedAt: DateTime.Utc
  readonly startedAt: DateTime.Utc | null
  readonly finishedAt: DateTime.Utc | null
}

/** Attempts of an execution. More than these are not made: what has ended the server so often may be what the execution needs. */
export const maximumAttempts = 3

/** How an execution ended. */
export type Ending = ScanProgress &
  Pick<Execution, "result" | "error"> & {
    readonly state: "succeeded" | "failed"
    readonly finishedAt: DateTime.Utc
  }

/** Whether the execution is queued or running. */
export const isUnfinished = ({ state }: Execution): boolean => state === "queued" || state === "running"
