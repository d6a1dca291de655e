import { Clock, Effect, FiberRef } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import { keyOf, type Principal as Someone, userOf } from "../../domain/access/Principal.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import type { Json } from "../../domain/configuration/Document.ts"
import type { ApplicationId, EnvironmentId, OrganizationId } from "../../domain/Ids.ts"
import { auditChanges } from "../../domain/operations/audit/AuditChanges.ts"
import type { AuditActor, AuditContent } from "../../domain/operations/audit/AuditEntry.ts"
import { eventOfChange } from "../../domain/operations/webhooks/WebhookEvents.ts"
import { AuditRepo, type BegunChange } from "../../ports/operations/AuditRepo.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Turns } from "../../ports/operations/Turns.ts"
import { dayMillis } from "../../domain/Durations.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { WebhookQueue } from "./WebhookQueue.ts"

/** A change that has not ended after so many milliseconds never will: the process that made it is gone. */
const unfinishedMillis = 10 * 60_000

/** A request that may change something. Its change begins when `Policy` allows it. */
export interface AuditedRequest {
  readonly operation: string
  readonly requestId: string
  readonly address: string
  readonly reason: string | null
  readonly object: { readonly kind: string; readonly id: string | null }
  /** Reads what the request is to change; null where it is not there, undefined where that cannot be read. */
  readonly look: Effect.Effect<Json | null | undefined>
  /** What it was when the change was allowed. */
  before: Json | null | undefined
  begun: BegunChange | null
  environmentId: EnvironmentId | null
}

const current = FiberRef.unsafeMake<AuditedRequest | null>(null)

/** What the request has made of it, as far as that is known: null is an object that is not there any more. */
export interface AuditedChange {
  readonly after: Json | null
  readonly id: string | null
  readonly name: string | null
}

/** A change that nobody has asked for in a request: the server or its operator has made it. */
interface OwnDeed extends Pick<AuditContent, "operation" | "object" | "reason"> {
  readonly applicationId?: ApplicationId
  readonly environmentId?: EnvironmentId
}

interface OwnChange extends OwnDeed, BeforeAndAfter {}

interface BeforeAndAfter {
  readonly before: Json | null
  readonly after: Json | null
}

const actorOf = (principal: Someone): AuditActor => {
  const [user, key] = [userOf(principal), keyOf(principal)]
  return {
    kind: principal.kind,
    userId: user?.id ?? null,
    email: user?.email ?? null,
    keyId: key?.id ?? null,
    keyName: key?.name ?? null
  }
}

/** What is told of a change whose object its caller may not read. */
const nothingKnown = { changes: [], moreChanges: 0 }

const changes = (permission: Permission): boolean => /:(write|delete)$/.test(permission)

/**
 * Notes who changes what. The note that a change begins is written when `Policy` has allowed it and before it is made, in its transaction
 * where it has one; the entry follows before the request is answered. So every acknowledged change has its entry, and one that a kill cut
 * off is told as one whose outcome is unknown.
 */
export class AuditTrail extends Effect.Service<AuditTrail>()("services/operations/AuditTrail", {
  effect: Effect.gen(function* () {
    const repo = yield* AuditRepo
    const secrets = yield* Secrets
    const turns = yield* Turns
    const transaction = yield* Transaction
    const queue = yield* WebhookQueue
    const { auditDays } = yield* Settings

    const hash = (text: string) => secrets.digest(new TextEncoder().encode(text))

    /** Runs what answers a request, whose change is noted as soon as it is allowed. */
    const within = <A, E, R>(request: AuditedRequest, answer: Effect.Effect<A, E, R>) =>
      Effect.locally(answer, current, request)

    const begin = Effect.fnUntraced(function* (
      request: AuditedRequest,
      organizationId: OrganizationId,
      applicationId: ApplicationId | null
    ) {
      const content: AuditContent = {
        at: yield* Clock.currentTimeMillis,
        actor: actorOf(yield* Principal),
        address: request.address,
        requestId: request.requestId,
        operation: request.operation,
        object: { ...request.object, name: null },
        applicationId,
        environmentId: null,
        reason: request.reason,
        outcome: "unknown",
        changes: [],
        moreChanges: 0
      }
      request.begun = { id: yield* secrets.uuid, organizationId, content }
      yield* repo.begin(request.begun)
    })

    /** The caller may do that there: from here on the request may change something. */
    const allowed = Effect.fnUntraced(function* (
      permission: Permission,
      organizationId: OrganizationId,
      applicationId: ApplicationId | null
    ) {
      const request = yield* FiberRef.get(current)
      if (request === null || request.begun !== null || !changes(permission)) return
      request.before = yield* request.look
      yield* begin(request, organizationId, applicationId)
    })

    /** The same for what needs no permission: an organization is made, or joined. */
    const joined = Effect.fnUntraced(function* (organizationId: OrganizationId) {
      const request = yield* FiberRef.get(current)
      if (request !== null && request.begun === null) yield* begin(request, organizationId, null)
    })

    /** The request is about that environment. */
    const placed = (environmentId: EnvironmentId) =>
      Effect.map(FiberRef.get(current), (request) => {
        if (request !== null) request.environmentId = environmentId
      })

    /** Appends the entry, and queues what webhooks are told of it. */
    const kept = (change: BegunChange) => {
      const event = eventOfChange(change.id, change.organizationId, change.content)
      const told = event === undefined ? Effect.void : queue.tell(event)
      return transaction.run(Effect.zipRight(told, repo.append(change, hash)))
    }

    /** Notes that the server or its operator begins a change. If nothing is told of its end, its entry says that this is unknown. */
    const begun = Effect.fnUntraced(function* (organizationId: OrganizationId, deed: OwnDeed) {
      const { operation, object, reason, applicationId = null, environmentId = null } = deed
      const id = yield* secrets.uuid
      const content: AuditContent = {
        operation,
        object,
        reason,
        applicationId,
        environmentId,
        at: yield* Clock.currentTimeMillis,
        actor: actorOf({ kind: "system" }),
        address: null,
        requestId: id,
        outcome: "unknown",
        ...nothingKnown
      }
      const change: BegunChange = { id, organizationId, content }
      yield* repo.begin(change)
      return change
    })

    /** Appends the entry of a change that `begun` has noted. */
    const ended = ({ content, ...change }: BegunChange, { before, after }: BeforeAndAfter) =>
      kept({ ...change, content: { ...content, outcome: "done", ...auditChanges(before, after) } })

    /** Appends the entry of a change that the server or its operator has made. Run it in the transaction of the change. */
    const byServer = (organizationId: OrganizationId, change: OwnChange) =>
      Effect.flatMap(begun(organizationId, change), (noted) => ended(noted, change))

    /** The change was made: appends its entry. */
    const done = Effect.fnUntraced(function* (
      { begun: noted, before, environmentId }: AuditedRequest,
      { after, id, name }: AuditedChange
    ) {
      if (noted === null) return
      const object = { ...noted.content.object, id: noted.content.object.id ?? id, name }
      const content = {
        ...noted.content,
        object,
        environmentId,
        outcome: "done" as const,
        ...(before === undefined ? nothingKnown : auditChanges(before, after))
      }
      yield* kept({ ...noted, content })
    })

    /** The change was refused: nothing is told of it. */
    const refused = ({ begun: noted }: AuditedRequest) => (noted === null ? Effect.void : repo.discard(noted.id))

    const round = Effect.fnUntraced(function* (trusted: number) {
      const left = yield* repo.unfinished((yield* Clock.currentTimeMillis) - unfinishedMillis)
      yield* Effect.forEach(left, kept, { discard: true })
      yield* repo.expire(trusted - auditDays * dayMillis)
    })

    /**
     * Appends entries for changes that a stop of the server has cut off, and drops what is too old by a time that is trusted (epoch ms);
     * unless another process is about it.
     */
    const maintain = (trusted: number) => Effect.asVoid(turns.once("audit", round(trusted)))

    return {
      within,
      allowed,
      joined,
      placed,
      begun,
      ended,
      byServer,
      done,
      refused,
      maintain,
      hash,
      rest: nextTurn
    } as const
  })
}) {}
