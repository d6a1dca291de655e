import { Cause, DateTime, Effect, Option, Redacted } from "effect"
import { KeyDeactivated, KeyExpired, KeyLimitReached, ScopeInvalid } from "../../../schema/access/AccessErrors.ts"
import type { KeyChange, KeyRotation } from "../../../schema/access/KeyRecord.ts"
import type { ApiKey, KeyType, NewApiKey } from "../../domain/access/ApiKey.ts"
import { coversApplication, keptSecret, withoutPrevious } from "../../domain/access/ApiKey.ts"
import type { ExpiresIn } from "../../domain/access/Expiry.ts"
import { expiresAt } from "../../domain/access/Expiry.ts"
import * as Token from "../../domain/access/Token.ts"
import type { ApplicationId, EnvironmentId, OrganizationId } from "../../domain/Ids.ts"
import { CredentialRepo } from "../../ports/access/CredentialRepo.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Settings } from "../../ports/operations/Settings.ts"

type Scope = Pick<ApiKey, "allProjects" | "applicationIds">
type Described = Pick<ApiKey, "type" | "keyPrefix" | "lastFour" | "secretHash">
type Lifetime = "lastUsedAt" | "createdAt" | "deactivatedAt" | "expiresAt" | "previousSecretHash" | "previousValidUntil"
type Unminted = Omit<NewApiKey, keyof Described | Lifetime>

const invalid = (message: string) => Effect.fail(new ScopeInvalid({ message }))

/** Random bytes drawn for one secret. Not every byte can be used; the chance that fewer than the needed 32 can is below 10^-30. */
const drawn = 64

/** Keys of an organization, and tokens of a person: lists have all of them. */
export const mostKeys = 1000

/** What organization keys and personal access tokens share: secrets, expiry and scopes. */
export class Keys extends Effect.Service<Keys>()("services/access/Keys", {
  effect: Effect.gen(function* () {
    const { keyPrefix: product } = yield* Settings
    const keys = yield* CredentialRepo
    const projects = yield* ProjectRepo
    const secrets = yield* Secrets

    const mint = Effect.fnUntraced(function* (type: KeyType) {
      const token = Token.make(type, product, Token.randomText(yield* secrets.bytes(drawn)))
      const described = {
        type,
        ...Token.describe(type, product, token),
        secretHash: secrets.hash(Redacted.make(token))
      }
      return { token, described }
    })

    /** Where there are as many as there may be, the one that was deactivated first makes room; that something used is never removed by itself. */
    const makeRoom = Effect.fnUntraced(function* (type: KeyType, { organizationId, userId }: Unminted) {
      const isToken = type === "personal" && userId !== null
      const present = yield* isToken ? keys.listPersonal(userId) : keys.list(organizationId)
      if (present.length < mostKeys) return
      const [oldest] = present
        .flatMap(({ id, deactivatedAt }) => (deactivatedAt === null ? [] : [{ id, deactivatedAt }]))
        .toSorted((one, other) => DateTime.Order(one.deactivatedAt, other.deactivatedAt))
      if (oldest !== undefined) return yield* keys.remove(oldest.id)
      const whose = isToken
        ? "A person has at most 1,000 personal access tokens"
        : "An organization has at most 1,000 keys"
      return yield* Effect.fail(
        new KeyLimitReached({ message: `${whose}, and none of them is deactivated: deactivate one first` })
      )
    })

    /** Within a transaction. */
    const create = Effect.fnUntraced(function* (type: KeyType, key: Unminted, expiresIn: ExpiresIn) {
      yield* makeRoom(type, key)
      const now = yield* DateTime.now
      const { token, described } = yield* mint(type)
      const created = yield* keys.insert({
        ...key,
        ...described,
        ...withoutPrevious,
        lastUsedAt: null,
        createdAt: now,
        deactivatedAt: null,
        expiresAt: expiresAt(now, expiresIn)
      })
      return { ...created, token }
    })

    /** Only a key that still works may change. */
    const demandActive = (key: ApiKey) =>
      key.deactivatedAt === null
        ? Effect.void
        : Effect.fail(new KeyDeactivated({ message: `Key ${key.id} is deactivated: create another one` }))

    /**
     * A new secret. The old one stops working after `overlap` seconds, at the end of the key at the latest; one before it that
     * still worked stops at once. Without `expiresIn` the end stays where it was.
     */
    const rotate = Effect.fnUntraced(function* (key: ApiKey, { expiresIn, overlap }: KeyRotation) {
      yield* demandActive(key)
      const now = yield* DateTime.now
      const ends = expiresIn === undefined ? key.expiresAt : expiresAt(now, expiresIn)
      if (ends !== null && DateTime.lessThanOrEqualTo(ends, now)) {
        return yield* Effect.fail(new KeyExpired({ message: `Key ${key.id} has expired: send expiresIn to renew it` }))
      }
      const { token, described } = yield* mint(key.type)
      const rotated = yield* keys.update({ ...key, ...described, ...keptSecret(key, now, overlap), expiresAt: ends })
      return { ...rotated, token }
    })

    const demandProjects = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      applicationIds: ReadonlyArray<ApplicationId>
    ) {
      const own = yield* projects.list(organizationId)
      const foreign = applicationIds.filter((id) => !own.some((application) => application.id === id))
      if (foreign.length > 0) return yield* invalid(`applicationIds: no project ${foreign.join(", ")} here`)
    })

    const demandEnvironments = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      scope: Scope,
      environmentIds: ReadonlyArray<EnvironmentId>
    ) {
      for (const id of environmentIds) {
        // One of another organization is answered as one that nobody has.
        const application = yield* Effect.flatten(projects.findEnvironment(id)).pipe(
          Effect.flatMap((environment) => Effect.flatten(projects.find(environment.applicationId))),
          Effect.filterOrFail(
            (found) => found.organizationId === organizationId,
            () => new Cause.NoSuchElementException()
          ),
          Effect.catchTag("NoSuchElementException", () => invalid(`environmentIds: no environment ${id} here`))
        )
        if (!scope.allProjects && !scope.applicationIds.includes(application.id)) {
          return yield* invalid(`environmentIds: environment ${id} is in none of the key's projects`)
        }
      }
    })

    /** Refuses a scope that names a project or an environment that is unknown or not the organization's. */
    const demandScope = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      scope: Scope,
      environmentIds: ReadonlyArray<EnvironmentId>
    ) {
      yield* demandProjects(organizationId, scope.applicationIds)
      yield* demandEnvironments(organizationId, scope, environmentIds)
    })

    /** The scope of projects after a change, whether a key may have it or not. What is left out stays. */
    const rescoped = (key: ApiKey, change: Partial<Scope> = {}): Scope => {
      const allProjects = change.allProjects ?? (change.applicationIds === undefined ? key.allProjects : false)
      return {
        allProjects,
        applicationIds: allProjects ? [] : [...new Set(change.applicationIds ?? key.applicationIds)]
      }
    }

    /** The key's environments in the projects of a scope. Those of a project that the key has lost would be its own again with that. */
    const environmentsIn = Effect.fnUntraced(function* (scope: Scope, { environmentIds }: ApiKey) {
      if (scope.allProjects) return environmentIds
      const own = new Set(scope.applicationIds)
      return yield* Effect.filter(environmentIds, (id) =>
        Effect.map(
          projects.findEnvironment(id),
          Option.exists(({ applicationId }) => own.has(applicationId))
        )
      )
    })

    /** Refuses projects that a key of the type cannot have, and what `demandScope` refuses. */
    const demandRescoped = Effect.fnUntraced(function* (
      { type, organizationId }: ApiKey,
      scope: Scope,
      environmentIds: ReadonlyArray<EnvironmentId>
    ) {
      const { allProjects, applicationIds } = scope
      if (type === "public" && applicationIds.length !== 1) return yield* invalid("A public key belongs to one project")
      if (!allProjects && applicationIds.length === 0) {
        return yield* invalid("applicationIds: name at least one project")
      }
      yield* demandScope(organizationId, scope, environmentIds)
    })

    /** The key after a change, whether that fits together or not. */
    const changedBy = (key: ApiKey, change: KeyChange): ApiKey => ({
      ...key,
      ...rescoped(key, change.projectScope),
      name: change.name ?? key.name,
      description: change.description === undefined ? key.description : change.description,
      environmentIds: [...new Set(change.environmentIds ?? key.environmentIds)],
      permissions: [...new Set(change.permissions ?? key.permissions)]
    })

    /** Refuses projects and environments that do not exist or do not fit together, where the change touches them. */
    const demandChanged = (next: ApiKey, { projectScope, environmentIds }: KeyChange) =>
      projectScope !== undefined
        ? demandRescoped(next, next, next.environmentIds)
        : environmentIds === undefined
          ? Effect.void
          : demandScope(next.organizationId, next, next.environmentIds)

    /** Projects in which the key's permissions count; null stands for the whole organization. */
    const projectsOf = (scope: Scope) => (scope.allProjects ? null : scope.applicationIds)

    return {
      create,
      rotate,
      demandActive,
      demandScope,
      rescoped,
      environmentsIn,
      demandRescoped,
      changedBy,
      demandChanged,
      projectsOf,
      coversApplication
    } as const
  })
}) {}
