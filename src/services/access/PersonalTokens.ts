import { DateTime, Effect, Option } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import { ApiKeyNotFound, Forbidden } from "../../../schema/access/AccessErrors.ts"
import type {
  ApiKeyRecord,
  ApiKeyWithToken,
  KeyChange,
  KeyRotation,
  ProjectScopeChange
} from "../../../schema/access/KeyRecord.ts"
import type { CreatePersonalToken } from "../../../schema/access/PersonalTokens.ts"
import { type ApiKey, withoutPrevious } from "../../domain/access/ApiKey.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import { keyOf, userOf } from "../../domain/access/Principal.ts"
import type { ApiKeyId, EnvironmentId, OrganizationId } from "../../domain/Ids.ts"
import { CredentialRepo } from "../../ports/access/CredentialRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Keys } from "./Keys.ts"
import { Delegation } from "./Delegation.ts"
import { OwnAccount } from "./OwnAccount.ts"
import { Policy } from "./Policy.ts"
import { SecondFactorDemand } from "./SecondFactorDemand.ts"

/** Personal access tokens: each acts for its owner, and only its owner manages it. */
export class PersonalTokens extends Effect.Service<PersonalTokens>()("services/access/PersonalTokens", {
  effect: Effect.gen(function* () {
    const credentials = yield* CredentialRepo
    const keys = yield* Keys
    const policy = yield* Policy
    const delegation = yield* Delegation
    const factors = yield* SecondFactorDemand
    const { demandSignedIn } = yield* OwnAccount
    const transaction = yield* Transaction

    /** Reads and writes in one transaction, so that a token that its owner revokes meanwhile stays revoked. */
    const atomically = <A, E, R>(change: Effect.Effect<A, E, R>) => transaction.run(change)

    const owner = Effect.fnUntraced(function* () {
      const user = userOf(yield* Principal)
      if (user === null)
        return yield* Effect.fail(new Forbidden({ message: "Only a person has personal access tokens" }))
      return user
    })

    const found = Effect.fnUntraced(function* (id: ApiKeyId) {
      const { id: userId } = yield* owner()
      const key = yield* credentials.findPersonal(userId, id)
      if (Option.isNone(key)) {
        return yield* Effect.fail(new ApiKeyNotFound({ message: `Personal access token ${id} does not exist` }))
      }
      return key.value
    })

    /** The caller belongs to the organization, and has shown the second factor that it may demand: nobody gets or widens a token without it. */
    const open = Effect.fnUntraced(function* (organizationId: OrganizationId) {
      yield* policy.member(organizationId)
      yield* factors.demand(yield* Principal, { organizationId })
    })

    /** Changes the token where its owner may, and only then looks at what the change needs to make sense. */
    const changed = Effect.fnUntraced(function* <E>(
      key: ApiKey,
      change: Partial<ApiKey>,
      demands: Effect.Effect<void, E>
    ) {
      yield* open(key.organizationId)
      const next = { ...key, ...change }
      yield* delegation.mayHold(next.permissions, key.organizationId, keys.projectsOf(next))
      yield* demands
      yield* keys.demandActive(key)
      return (yield* credentials.update(next)) satisfies ApiKeyRecord
    })

    /** With a token, those of the organization that the token is for: it tells of no other one. */
    const list = Effect.fnUntraced(function* () {
      const { id } = yield* owner()
      const own = keyOf(yield* Principal)
      return (yield* credentials.listPersonal(id)).filter(
        ({ organizationId }) => own === undefined || organizationId === own.organizationId
      ) satisfies ReadonlyArray<ApiKeyRecord>
    })

    const create = Effect.fnUntraced(function* (request: CreatePersonalToken) {
      const user = yield* owner()
      yield* open(request.organizationId)
      const key = {
        allProjects: request.projectScope.allProjects,
        applicationIds: request.projectScope.allProjects ? [] : [...new Set(request.projectScope.applicationIds)],
        organizationId: request.organizationId,
        userId: user.id,
        name: request.name,
        description: request.description ?? null,
        environmentIds: [...new Set(request.environmentIds)],
        permissions: [...new Set(request.permissions)],
        createdBy: user
      }
      yield* delegation.mayHold(key.permissions, key.organizationId, keys.projectsOf(key))
      yield* keys.demandScope(key.organizationId, key, key.environmentIds)
      // The account may have been handed over to another person meanwhile, which ends the tokens that it has by then.
      yield* demandSignedIn
      return (yield* keys.create("personal", key, request.expiresIn)) satisfies ApiKeyWithToken
    }, atomically)

    /** A new secret is as good as a new token, so that nobody gets it without the second factor that the organization may demand. */
    const rotate = Effect.fnUntraced(function* (id: ApiKeyId, rotation: KeyRotation) {
      const key = yield* found(id)
      yield* factors.demand(yield* Principal, { organizationId: key.organizationId })
      return (yield* keys.rotate(key, rotation)) satisfies ApiKeyWithToken
    }, atomically)

    const update = Effect.fnUntraced(function* (id: ApiKeyId, change: KeyChange) {
      const key = yield* found(id)
      const next = keys.changedBy(key, change)
      return yield* changed(key, next, keys.demandChanged(next, change))
    }, atomically)

    const setPermissions = Effect.fnUntraced(function* (id: ApiKeyId, permissions: ReadonlyArray<Permission>) {
      return yield* changed(yield* found(id), { permissions: [...new Set(permissions)] }, Effect.void)
    }, atomically)

    const setEnvironments = Effect.fnUntraced(function* (id: ApiKeyId, environmentIds: ReadonlyArray<EnvironmentId>) {
      const key = yield* found(id)
      const demands = keys.demandScope(key.organizationId, key, environmentIds)
      return yield* changed(key, { environmentIds: [...new Set(environmentIds)] }, demands)
    }, atomically)

    const setProjects = Effect.fnUntraced(function* (id: ApiKeyId, change: ProjectScopeChange) {
      const key = yield* found(id)
      const scope = keys.rescoped(key, change)
      const environmentIds = yield* keys.environmentsIn(scope, key)
      return yield* changed(key, { ...scope, environmentIds }, keys.demandRescoped(key, scope, []))
    }, atomically)

    const deactivate = Effect.fnUntraced(function* (id: ApiKeyId) {
      const key = yield* found(id)
      if (key.deactivatedAt !== null) return key satisfies ApiKeyRecord
      const deactivated = { ...key, ...withoutPrevious, deactivatedAt: yield* DateTime.now }
      return (yield* credentials.update(deactivated)) satisfies ApiKeyRecord
    }, atomically)

    return { list, create, rotate, update, setPermissions, setEnvironments, setProjects, deactivate } as const
  })
}) {}
