import type { DateTime } from "effect"
import { Schema } from "effect"
import type { Principal } from "../../access/Principal.ts"
import type { ApplicationId, EnvironmentId, ExecutionId, QueryId } from "../../Ids.ts"
import { ApiKeyId, OrganizationId, UserId } from "../../Ids.ts"

/** On whose behalf an execution runs: names the person or the key, never what they may do. */
export const Requester = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("session"), userId: UserId }),
  Schema.Struct({ kind: Schema.Literal("personal"), userId: UserId, keyId: ApiKeyId }),
  Schema.Struct({ kind: Schema.Literal("key"), organizationId: OrganizationId, keyId: ApiKeyId }),
  Schema.Struct({ kind: Schema.Literal("system") })
)
export type Requester = typeof Requester.Type

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

/** How far a question is; both grow while it runs. */
export interface Progress {
  readonly rowsScanned: number
  readonly rowsTotal: number
}

/** A run of a saved query in the background, with the definition as it was when it was asked for. */
export interface Execution extends Progress {
  readonly id: ExecutionId
  readonly queryId: QueryId
  readonly applicationId: ApplicationId
  readonly environmentId: EnvironmentId
  /** Unique in its query and environment. */
  readonly idempotencyKey: string | null
  readonly requester: Requester
  /** Type and specification, as JSON of the wire. */
  readonly definition: string
  readonly state: ExecutionState
  /** JSON of the wire; there once the execution has succeeded. */
  readonly result: string | null
  /** There once the execution has failed. */
  readonly error: { readonly code: string; readonly message: string } | null
  readonly requestedAt: DateTime.Utc
  readonly startedAt: DateTime.Utc | null
  readonly finishedAt: DateTime.Utc | null
}

/** How a run ended. */
export type Ending = Progress &
  Pick<Execution, "result" | "error"> & {
    readonly state: "succeeded" | "failed"
    readonly finishedAt: DateTime.Utc
  }

export const isUnfinished = ({ state }: Execution): boolean => state === "queued" || state === "running"
