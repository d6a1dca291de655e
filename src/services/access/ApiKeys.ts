import { DateTime, Effect, Option } from "effect"
import type { CreateApiKey } from "../../../schema/access/ApiKeys.ts"
import { Principal } from "../../../schema/access/Auth.ts"
import { ApiKeyNotFound } from "../../../schema/access/AccessErrors.ts"
import type { ApiKeyRecord, ApiKeyWithToken, ProjectScopeChange } from "../../../schema/access/KeyRecord.ts"
import { keyPermissions } from "../../domain/access/Access.ts"
import type { ApiKey } from "../../domain/access/ApiKey.ts"
import type { ExpiresIn } from "../../domain/access/Expiry.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import { userOf } from "../../domain/access/Principal.ts"
import type { ApiKeyId, EnvironmentId, OrganizationId } from "../../domain/Ids.ts"
import { CredentialRepo } from "../../ports/access/CredentialRepo.ts"
import { Keys } from "./Keys.ts"
import { Policy } from "./Policy.ts"

const scopeOf = (request: CreateApiKey) =>
  request.type === "public"
    ? { allProjects: false, applicationIds: [request.applicationId] }
    : request.projectScope.allProjects
      ? { allProjects: true, applicationIds: [] }
      : { allProjects: false, applicationIds: request.projectScope.applicationIds }

/** Public and secret keys of an organization. */
export class ApiKeys extends Effect.Service<ApiKeys>()("services/access/ApiKeys", {
  effect: Effect.gen(function* () {
    const credentials = yield* CredentialRepo
    const keys = yield* Keys
    const policy = yield* Policy

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

    /** Whoever sets what a key may do must hold all of it where the key works. */
    const mayHold = (key: ApiKey, change: Partial<ApiKey>) => {
      const changed = { ...key, ...change }
      return policy.mayGrant([...keyPermissions(changed)], key.organizationId, keys.projectsOf(changed))
    }

    const changed = Effect.fnUntraced(function* (key: ApiKey, change: Partial<ApiKey>) {
      yield* mayHold(key, change)
      yield* keys.demandActive(key)
      return (yield* credentials.update({ ...key, ...change })) satisfies ApiKeyRecord
    })

    const list = Effect.fn("ApiKeys.list")(function* (organizationId: OrganizationId) {
      yield* policy.organization("api_keys:read", organizationId)
      return (yield* credentials.list(organizationId)) satisfies ReadonlyArray<ApiKeyRecord>
    })

    const create = Effect.fn("ApiKeys.create")(function* (organizationId: OrganizationId, request: CreateApiKey) {
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
      yield* policy.mayGrant(key.permissions, organizationId, keys.projectsOf(key))
      yield* keys.demandScope(organizationId, key, key.environmentIds)
      return (yield* keys.create(request.type, key, request.expiresIn)) satisfies ApiKeyWithToken
    })

    const rotate = Effect.fn("ApiKeys.rotate")(function* (
      organizationId: OrganizationId,
      id: ApiKeyId,
      expiresIn: ExpiresIn | undefined
    ) {
      const key = yield* found(organizationId, id)
      yield* mayHold(key, {})
      return (yield* keys.rotate(key, expiresIn)) satisfies ApiKeyWithToken
    })

    const setPermissions = Effect.fn("ApiKeys.setPermissions")(function* (
      organizationId: OrganizationId,
      id: ApiKeyId,
      permissions: ReadonlyArray<Permission>
    ) {
      return yield* changed(yield* found(organizationId, id), { permissions: [...new Set(permissions)] })
    })

    const setEnvironments = Effect.fn("ApiKeys.setEnvironments")(function* (
      organizationId: OrganizationId,
      id: ApiKeyId,
      environmentIds: ReadonlyArray<EnvironmentId>
    ) {
      const key = yield* found(organizationId, id)
      yield* keys.demandScope(organizationId, key, environmentIds)
      return yield* changed(key, { environmentIds: [...new Set(environmentIds)] })
    })

    const setProjects = Effect.fn("ApiKeys.setProjects")(function* (
      organizationId: OrganizationId,
      id: ApiKeyId,
      change: ProjectScopeChange
    ) {
      const key = yield* found(organizationId, id)
      const scope = yield* keys.rescope(key, change)
      yield* keys.demandScope(organizationId, scope, [])
      return yield* changed(key, scope)
    })

    const deactivate = Effect.fn("ApiKeys.deactivate")(function* (organizationId: OrganizationId, id: ApiKeyId) {
      const key = yield* found(organizationId, id)
      if (key.deactivatedAt !== null) return key satisfies ApiKeyRecord
      return (yield* credentials.update({ ...key, deactivatedAt: yield* DateTime.now })) satisfies ApiKeyRecord
    })

    return { list, create, rotate, setPermissions, setEnvironments, setProjects, deactivate } as const
  })
}) {}
