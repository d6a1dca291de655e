import type { Cause, Option } from "effect"
import { Effect } from "effect"
import type { Membership } from "../../../src/domain/access/Organization.ts"
import type { RoleId } from "../../../src/domain/Ids.ts"
import type { BrowserRepo } from "../../../src/ports/access/BrowserRepo.ts"
import type { CredentialRepo } from "../../../src/ports/access/CredentialRepo.ts"
import { OrganizationRepo } from "../../../src/ports/access/OrganizationRepo.ts"
import type { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { RoleRepo } from "../../../src/ports/access/RoleRepo.ts"
import type { UserRepo } from "../../../src/ports/access/UserRepo.ts"
import type { World } from "./AccessWorld.ts"
import { pick } from "./AccessWorld.ts"

type MetadataPorts = BrowserRepo | CredentialRepo | OrganizationRepo | ProjectRepo | RoleRepo | UserRepo

/** What a command does with the rows that `a`, `b` and `c` choose; it fails where there is none to choose. */
export type Command = (
  world: World,
  a: number,
  b: number,
  c: number
) => Effect.Effect<unknown, Cause.NoSuchElementException, MetadataPorts>

export const word = (n: number) => `word ${n % 3}`

/** Fails where the row was removed: what must be there is the caller's to know. */
export const present = <A, R>(found: Effect.Effect<Option.Option<A>, never, R>) => Effect.flatten(found)

export const presentMember = Effect.fnUntraced(function* ({ organizationId, id }: Membership) {
  return yield* present((yield* OrganizationRepo).findMember(organizationId, id))
})

export const presentRole = Effect.fnUntraced(function* (
  world: World,
  organizationId: Membership["organizationId"],
  n: number
) {
  const ids = world.roles.filter((role) => role.organizationId === organizationId).map(({ id }): RoleId => id)
  return yield* present((yield* RoleRepo).find(organizationId, yield* pick(ids, n)))
})
