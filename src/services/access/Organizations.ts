import { Array, Effect } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import { Forbidden, OrganizationLimitReached } from "../../../schema/access/AccessErrors.ts"
import type {
  CreateOrganization,
  OrganizationRecord,
  UpdateOrganization
} from "../../../schema/access/Organizations.ts"
import type { Membership, Organization } from "../../domain/access/Organization.ts"
import { keyOf, userOf } from "../../domain/access/Principal.ts"
import type { OrganizationId } from "../../domain/Ids.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { AuditTrail } from "../operations/AuditTrail.ts"
import { organizationMissing } from "./NotFound.ts"
import { OrganizationView } from "./OrganizationView.ts"
import { Policy } from "./Policy.ts"
import { OrganizationSetup } from "./OrganizationSetup.ts"

const caller = Effect.flatMap(Principal, (principal) =>
  Effect.mapError(
    Effect.fromNullable(userOf(principal)),
    () => new Forbidden({ message: "Only a person can be a member of an organization" })
  )
)

/** Organizations of somebody who makes another one: the list of theirs has all of them. */
export const mostOrganizations = 500

const full = Effect.fail(
  new OrganizationLimitReached({
    message: `Somebody who belongs to ${mostOrganizations} organizations or more makes no other one: give one to somebody else, and leave it`
  })
)

/** Organizations as their members see them. */
export class Organizations extends Effect.Service<Organizations>()("services/access/Organizations", {
  effect: Effect.gen(function* () {
    const organizations = yield* OrganizationRepo
    const transaction = yield* Transaction
    const policy = yield* Policy
    const trail = yield* AuditTrail
    const studios = yield* OrganizationSetup
    const view = yield* OrganizationView

    const record = Effect.fnUntraced(function* (organization: Organization, membership: Membership) {
      const shown = yield* view.ofMember(organization, membership)
      const visible = new Set((yield* policy.visible("projects:read", organization.id)).map(({ id }) => id))
      const applications = shown.applications.filter(({ id }) => visible.has(id))
      return { ...shown, applications } satisfies OrganizationRecord
    })

    /** The organization as the caller, who is a member, sees it. */
    const ofMember = Effect.fnUntraced(function* (organization: Organization) {
      const found = yield* organizations.findMemberByUser(organization.id, (yield* caller).id)
      const membership = yield* Effect.mapError(found, () => organizationMissing(organization.id))
      return yield* record(organization, membership)
    })

    /** Every organization of the caller, each in a turn of the event loop of its own; with a token, the one the token is for. */
    const list = Effect.fnUntraced(function* () {
      const key = keyOf(yield* Principal)
      if (key !== undefined) yield* policy.organization("organization:read", key.organizationId)
      const all = yield* organizations.listOfUser((yield* caller).id)
      const own = all.filter(({ organization }) => key === undefined || key.organizationId === organization.id)
      const present = Effect.forEach(own, ({ organization, membership }) =>
        Effect.zipRight(nextTurn, Effect.option(record(organization, membership)))
      )
      return Array.getSomes(yield* present)
    })

    const create = Effect.fnUntraced(function* ({ name, color = null }: CreateOrganization) {
      const user = yield* caller
      // In one transaction, so that several requests at once make no more than one after the other.
      const made = Effect.flatMap(organizations.listOfUser(user.id), (present) =>
        present.length >= mostOrganizations ? full : studios.createOrganization({ name, color }, user.id)
      )
      const { organization, membership } = yield* transaction.run(made)
      yield* trail.joined(organization.id)
      return yield* Effect.orDie(record(organization, membership))
    })

    const get = Effect.fnUntraced(function* (id: OrganizationId) {
      const { organization } = yield* policy.organization("organization:read", id)
      return yield* ofMember(organization)
    })

    const update = Effect.fnUntraced(
      function* (id: OrganizationId, change: UpdateOrganization) {
        const { organization } = yield* policy.organization("organization:write", id)
        yield* policy.coversAllProjects()
        const { name, color, requiresSecondFactor } = { ...organization, ...change }
        return yield* ofMember(yield* organizations.update({ ...organization, name, color, requiresSecondFactor }))
      },
      (effect) => transaction.run(effect)
    )

    return { ofMember, list, create, get, update } as const
  })
}) {}
