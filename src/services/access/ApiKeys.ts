import { DateTime, Effect, Option } from "effect"
import type { CreateApiKey } from "../../../schema/access/ApiKeys.ts"
import { Principal } from "../../../schema/access/Auth.ts"
import { ApiKeyNotFound, ScopeInvalid } from "../../../schema/access/AccessErrors.ts"
import type {
  ApiKeyRecord,
  ApiKeyWithToken,
  KeyChange,
  KeyRotation,
  ProjectScopeChange
} from "../../../schema/access/KeyRecord.ts"
import { impossible, keyPermissions } from "../../domain/access/KeyPermissions.ts"
import { type ApiKey, type KeyType, withoutPrevious } from "../../domain/access/ApiKey.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import { userOf } from "../../domain/access/Principal.ts"
import type { ApiKeyId, EnvironmentId, OrganizationId } from "../../domain/Ids.ts"
import { CredentialRepo } from "../../ports/access/CredentialRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { Keys } from "./Keys.ts"
import { Delegation } from "./Delegation.ts"
import { Policy } from "./Policy.ts"

type Minted = Pick<ApiKey, "type" | "permissions" | "organizationId" | "allProjects" | "applicationIds">

const scopeOf = (request: CreateApiKey) =>
  request.type === "public"
    ? { allProjects: false, applicationIds: [request.applicationId] }
    : request.projectScope.allProjects
      ? { allProjects: true, applicationIds: [] }
      : { allProjects: false, applicationIds: [...new Set(request.projectScope.applicationIds)] }

/** Refuses permissions that no key of that type can hold, so that a key never lists what it may not do. */
const demandPossible = (type: KeyType, asked: ReadonlyArray<Permission>) => {
  const refused = impossible(type, asked)
  const message = `permissions: a ${type} key, which every player has, cannot hold ${refused.join(", ")}`
  return refused.length === 0 ? Effect.void : Effect.fail(new ScopeInvalid({ message }))
}

/** Public and secret keys of an organization. */
export class ApiKeys extends Effect.Service<ApiKeys>()("services/access/ApiKeys", {
  effect: Effect.gen(function* () {
    const credentials = yield* CredentialRepo
    const keys = yield* Keys
    const policy = yield* Policy
    const delegation = yield* Delegation
    const transaction = yield* Transaction

    /** Reads and writes in one transaction, so that a key that somebody revokes meanwhile stays revoked. */
    const atomically = <A, E, R>(change: Effect.Effect<A, E, R>) => transaction.run(change)

    const found = Effect.fnUntraced(function* (organizationId: OrganizationId, id: ApiKeyId) {
      yield* policy.organization("api_keys:write", organizationId)
      const key = yield* credentials.find(organizationId, id)
      if (Option.isNone(key)) {
        return yield* Effect.fail(
          new ApiKeyNotFound({ message: `API key ${id} does not exist in organization ${organizationId}` })
        )
      }
      return key.value
    })

    /** Whoever sets what a key may do must hold all that the key then grants, its type's default included, where it works. */
    const mayMint = (key: Minted) =>
      delegation.mayGrant([...keyPermissions(key)], key.organizationId, keys.projectsOf(key))

    /** Changes the key where the caller may, and only then looks at what the change needs to make sense. */
    const changed = Effect.fnUntraced(function* (
      key: ApiKey,
      change: Partial<ApiKey>,
      demands: Effect.Effect<void, ScopeInvalid>
    ) {
      yield* mayMint({ ...key, ...change })
      yield* demands
      yield* keys.demandActive(key)
      return (yield* credentials.update({ ...key, ...change })) satisfies ApiKeyRecord
    })

    const list = Effect.fnUntraced(function* (organizationId: OrganizationId) {
      yield* policy.organization("api_keys:read", organizationId)
      return (yield* credentials.list(organizationId)) satisfies ReadonlyArray<ApiKeyRecord>
    })

    const create = Effect.fnUntraced(function* (organizationId: OrganizationId, request: CreateApiKey) {
      yield* policy.organization("api_keys:write", organizationId)
      const key = {
        ...scopeOf(request),
        organizationId,
        userId: null,
        name: request.name,
        description: request.description ?? null,
        environmentIds: [...new Set(request.environmentIds)],
        permissions: [...new Set(request.permissions)],
        createdBy: userOf(yield* Principal)
      }
      yield* mayMint({ ...key, type: request.type })
      yield* demandPossible(request.type, key.permissions)
      yield* keys.demandScope(organizationId, key, key.environmentIds)
      return (yield* keys.create(request.type, key, request.expiresIn)) satisfies ApiKeyWithToken
    }, atomically)

    const rotate = Effect.fnUntraced(function* (organizationId: OrganizationId, id: ApiKeyId, rotation: KeyRotation) {
      const key = yield* found(organizationId, id)
      yield* mayMint(key)
      return (yield* keys.rotate(key, rotation)) satisfies ApiKeyWithToken
    }, atomically)

    const update = Effect.fnUntraced(function* (organizationId: OrganizationId, id: ApiKeyId, change: KeyChange) {
      const key = yield* found(organizationId, id)
      const next = keys.changedBy(key, change)
      const possible = demandPossible(key.type, change.permissions ?? [])
      return yield* changed(key, next, Effect.zipRight(possible, keys.demandChanged(next, change)))
    }, atomically)

    const setPermissions = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      id: ApiKeyId,
      permissions: ReadonlyArray<Permission>
    ) {
      const key = yield* found(organizationId, id)
      return yield* changed(key, { permissions: [...new Set(permissions)] }, demandPossible(key.type, permissions))
    }, atomically)

    const setEnvironments = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      id: ApiKeyId,
      environmentIds: ReadonlyArray<EnvironmentId>
    ) {
      const key = yield* found(organizationId, id)
      const demands = keys.demandScope(organizationId, key, environmentIds)
      return yield* changed(key, { environmentIds: [...new Set(environmentIds)] }, demands)
    }, atomically)

    const setProjects = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      id: ApiKeyId,
      change: ProjectScopeChange
    ) {
      const key = yield* found(organizationId, id)
      const scope = keys.rescoped(key, change)
      const environmentIds = yield* keys.environmentsIn(scope, key)
      return yield* changed(key, { ...scope, environmentIds }, keys.demandRescoped(key, scope, []))
    }, atomically)

    const deactivate = Effect.fnUntraced(function* (organizationId: OrganizationId, id: ApiKeyId) {
      const key = yield* found(organizationId, id)
      if (key.deactivatedAt !== null) return key satisfies ApiKeyRecord
      const deactivated = { ...key, ...withoutPrevious, deactivatedAt: yield* DateTime.now }
      return (yield* credentials.update(deactivated)) satisfies ApiKeyRecord
    }, atomically)

    return { list, create, rotate, update, setPermissions, setEnvironments, setProjects, deactivate } as const
  })
}) {}
