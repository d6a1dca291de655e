import { type DateTime, Effect, Option } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import type { Permissions } from "../../domain/access/KeyPermissions.ts"
import { everyPermission, memberPermissions, ownersOf, personalPermissions } from "../../domain/access/Access.ts"
import { keyPermissions } from "../../domain/access/KeyPermissions.ts"
import { coversApplication } from "../../domain/access/ApiKey.ts"
import type { Permission } from "../../domain/access/Permission.ts"
import { keyOf, type Principal as Someone, userOf } from "../../domain/access/Principal.ts"
import { minuteMillis } from "../../domain/Durations.ts"
import type { ApplicationId, EnvironmentId, OrganizationId, UserId } from "../../domain/Ids.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { RoleRepo } from "../../ports/access/RoleRepo.ts"
import { Sessions } from "./Sessions.ts"

/** What a principal may do in the organization (null) and in each of its projects. */
type Held = (applicationId: ApplicationId | null) => Permissions

/** By so many milliseconds the clocks of processes may differ. */
const clockError = minuteMillis

const nothing = (): Permissions => new Set<Permission>()

/** What the caller holds and covers. Decides nothing: `Policy` and `Delegation` do. */
export class Rights extends Effect.Service<Rights>()("services/access/Rights", {
  effect: Effect.gen(function* () {
    const organizations = yield* OrganizationRepo
    const roles = yield* RoleRepo
    const sessions = yield* Sessions

    /**
     * Whether what was given at these times is the caller's. An account may have been handed over to another person since the request was let
     * in, which ends its sessions: what that person has got since is not for who had it before.
     */
    const isForCaller = Effect.fnUntraced(function* (given: ReadonlyArray<DateTime.Utc>) {
      const principal: Someone = yield* Principal
      const since = principal.kind === "session" && principal.letIn !== undefined ? principal.letIn.at : Infinity
      if (!given.some((each) => each.epochMillis > since - clockError)) return true
      return yield* sessions.isLetIn(principal)
    })

    const grantsOf = Effect.fnUntraced(function* (userId: UserId, organizationId: OrganizationId) {
      const membership = yield* organizations.findMemberByUser(organizationId, userId)
      if (Option.isNone(membership)) return Option.none()
      const grants = yield* roles.grantsOf(membership.value.id)
      const given = [membership.value, ...grants].map(({ createdAt }) => createdAt)
      return (yield* isForCaller(given)) ? Option.some(grants) : Option.none()
    })

    const ofMember = Effect.fnUntraced(function* (userId: UserId, organizationId: OrganizationId) {
      const grants = yield* grantsOf(userId, organizationId)
      if (Option.isNone(grants)) return Option.none<Held>()
      const all = yield* roles.list(organizationId)
      return Option.some<Held>((applicationId) => memberPermissions(grants.value, all, applicationId))
    })

    /** Whether the organization demands a second factor of people, of which the caller has shown none. Tokens and keys need none. */
    const lacksFactor = Effect.fnUntraced(function* (id: OrganizationId) {
      const principal = yield* Principal
      if (principal.kind !== "session" || principal.byPasswordAlone !== true) return false
      return Option.exists(yield* organizations.find(id), ({ requiresSecondFactor }) => requiresSecondFactor)
    })

    /** What the caller holds in the organization and its projects; none where the caller does not belong to it. */
    const heldIn = Effect.fnUntraced(function* (organizationId: OrganizationId) {
      const principal = yield* Principal
      if (principal.kind === "system") return Option.some<Held>(() => everyPermission)
      if (principal.kind === "session") {
        const held = yield* ofMember(principal.userId, organizationId)
        return Option.isSome(held) && (yield* lacksFactor(organizationId)) ? Option.some<Held>(nothing) : held
      }
      const { key } = principal
      if (key.organizationId !== organizationId) return Option.none<Held>()
      if (principal.kind === "personal") {
        const owner = yield* ofMember(principal.userId, organizationId)
        return Option.map(
          owner,
          (held): Held =>
            (id) =>
              personalPermissions(held(id), key, id)
        )
      }
      const own = keyPermissions(key)
      return Option.some<Held>((id) => (id === null || coversApplication(key, id) ? own : nothing()))
    })

    /** As `heldIn`, for decisions about others: an outsider holds nothing instead of being refused. */
    const heldOrNothing = (organizationId: OrganizationId) =>
      Effect.map(
        heldIn(organizationId),
        Option.getOrElse((): Held => nothing)
      )

    /** Whether the caller is a signed-in owner, or the process itself. */
    const isOwner = Effect.fnUntraced(function* (id: OrganizationId) {
      const principal = yield* Principal
      if (principal.kind !== "session") return principal.kind === "system"
      if (yield* lacksFactor(id)) return false
      const grants = yield* grantsOf(principal.userId, id)
      return Option.isSome(grants) && ownersOf(grants.value, yield* roles.list(id)).length > 0
    })

    /** Where the caller's rights may differ: the organization (null), and every project with a role of the caller's own. */
    const places = Effect.fnUntraced(function* (id: OrganizationId) {
      const user = userOf(yield* Principal)
      const grants = user === null ? Option.none() : yield* grantsOf(user.id, id)
      const own = Option.getOrElse(grants, () => [])
      return [null, ...own.flatMap(({ applicationId }) => (applicationId === null ? [] : [applicationId]))]
    })

    /** Whether the caller's token or key is made for the project; always true without one. */
    const coversProject = Effect.fnUntraced(function* (id: ApplicationId) {
      const key = keyOf(yield* Principal)
      return key === undefined || coversApplication(key, id)
    })

    /** Whether the caller's token or key is made for all projects, also for those to come; always true without one. */
    const coversAllProjects = Effect.map(Principal, (principal) => keyOf(principal)?.allProjects ?? true)

    /** Those of the environments that the caller's token or key is made for; all of them without one. */
    const covered = Effect.fnUntraced(function* (ids: ReadonlyArray<EnvironmentId>) {
      const key = keyOf(yield* Principal)
      return key === undefined ? ids : ids.filter((id) => key.environmentIds.includes(id))
    })

    return { heldIn, heldOrNothing, lacksFactor, isOwner, places, coversProject, coversAllProjects, covered } as const
  })
}) {}
