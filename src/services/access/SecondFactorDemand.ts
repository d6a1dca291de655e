import { Effect, Option } from "effect"
import { SecondFactorDemanded } from "../../../schema/access/AccessErrors.ts"
import { Principal } from "../../../schema/access/Auth.ts"
import type { Principal as PrincipalShape } from "../../domain/access/Principal.ts"
import type { ApplicationId, OrganizationId } from "../../domain/Ids.ts"
import { OrganizationRepo } from "../../ports/access/OrganizationRepo.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { Rights } from "./Rights.ts"

/** What a request is about, as its path names it; null where it names neither. */
export type Place = { readonly organizationId: OrganizationId } | { readonly applicationId: ApplicationId } | null

/**
 * Tells members why they may do nothing: their organization demands a second factor, which they have not shown. `Rights` is what refuses
 * them; this only gives the reason.
 */
export class SecondFactorDemand extends Effect.Service<SecondFactorDemand>()("services/access/SecondFactorDemand", {
  effect: Effect.gen(function* () {
    const organizations = yield* OrganizationRepo
    const projects = yield* ProjectRepo
    const rights = yield* Rights

    const organizationOf = Effect.fnUntraced(function* (place: Place) {
      if (place === null) return null
      if ("organizationId" in place) return place.organizationId
      const project = yield* projects.find(place.applicationId)
      return Option.match(project, { onNone: () => null, onSome: ({ organizationId }) => organizationId })
    })

    /** Refuses who has signed in by password alone where that is not enough. Who is no member is told nothing. */
    const demand = Effect.fnUntraced(function* (principal: PrincipalShape, place: Place) {
      if (principal.kind !== "session" || principal.byPasswordAlone !== true) return
      const id = yield* organizationOf(place)
      if (id === null) return
      const isLacking = yield* Effect.provideService(rights.lacksFactor(id), Principal, principal)
      if (!isLacking || Option.isNone(yield* organizations.findMemberByUser(id, principal.userId))) return
      const message = `Organization ${id} demands a second factor: set one up, or sign in with it, a passkey or your provider`
      return yield* Effect.fail(new SecondFactorDemanded({ message }))
    })

    return { demand } as const
  })
}) {}
