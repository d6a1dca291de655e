import { Effect, Option } from "effect"
import { OrganizationRepo } from "../../../src/ports/access/OrganizationRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { RoleRepo } from "../../../src/ports/access/RoleRepo.ts"
import type { Command } from "./AccessCommand.ts"
import { present, presentMember, presentRole, word } from "./AccessCommand.ts"
import { answer, making, pick } from "./AccessWorld.ts"
import { instant, newInvitation, newRole } from "./Tenants.ts"

export const organizations: Record<string, Command> = {
  addOrganization: (world, a) =>
    Effect.flatMap(OrganizationRepo, (repo) =>
      repo
        .insert({ name: word(a), color: null, iconTag: null, createdAt: instant(a) })
        .pipe(making(world.organizations), answer(world, "organizations"))
    ),
  updateOrganization: (world, a, b) =>
    Effect.gen(function* () {
      const organization = { ...(yield* pick(world.organizations, a)), color: word(b) }
      return yield* (yield* OrganizationRepo).update(organization).pipe(answer(world, "organizations"))
    }),
  addMember: (world, a, b) =>
    Effect.gen(function* () {
      const { id: organizationId } = yield* pick(world.organizations, a)
      const { id } = yield* pick(world.users, b)
      const made = (yield* OrganizationRepo).addMember({ organizationId, userId: id, createdAt: instant(b) })
      return yield* made.pipe(making(world.memberships), answer(world, "memberships"))
    }),
  removeMember: (world, a) =>
    Effect.flatMap(OrganizationRepo, (repo) =>
      Effect.flatMap(pick(world.memberships, a), ({ id }) => repo.removeMember(id))
    ),
  members: (world, a, b) =>
    Effect.gen(function* () {
      const repo = yield* OrganizationRepo
      const { id } = yield* pick(world.organizations, a)
      const member = yield* pick(world.memberships, b)
      return yield* Effect.all([
        repo.members(id).pipe(answer(world, "memberships")),
        repo.findMember(id, member.id).pipe(answer(world, "memberships")),
        repo.findMemberByUser(id, member.userId).pipe(answer(world, "memberships")),
        Effect.forEach(yield* repo.listOfUser(member.userId), ({ organization, membership }) =>
          Effect.all([
            answer(world, "organizations")(Effect.succeed(organization)),
            answer(world, "memberships")(Effect.succeed(membership))
          ])
        )
      ])
    }),
  invite: (world, a, b) =>
    Effect.gen(function* () {
      const { id } = yield* pick(world.organizations, a)
      const role = yield* presentRole(world, id, b)
      const made = (yield* OrganizationRepo).insertInvitation({
        ...newInvitation(id, role.id),
        tokenHash: `invitation ${world.invitations.length}`
      })
      return yield* made.pipe(making(world.invitations), answer(world, "invitations"))
    }),
  acceptInvitation: (world, a, b) =>
    Effect.gen(function* () {
      const { organizationId, id } = yield* pick(world.invitations, a)
      const found = yield* present((yield* OrganizationRepo).findInvitation(organizationId, id))
      const accepted = { ...found, acceptedAt: instant(b) }
      return yield* (yield* OrganizationRepo).updateInvitation(accepted).pipe(answer(world, "invitations"))
    }),
  removeInvitation: (world, a) =>
    Effect.flatMap(OrganizationRepo, (repo) =>
      Effect.flatMap(pick(world.invitations, a), ({ id }) => repo.removeInvitation(id))
    ),
  invitations: (world, a, b) =>
    Effect.gen(function* () {
      const repo = yield* OrganizationRepo
      const { id } = yield* pick(world.organizations, a)
      const invitation = yield* pick(world.invitations, b)
      return yield* Effect.all([
        repo.invitations(id).pipe(answer(world, "invitations")),
        repo.findInvitation(id, invitation.id).pipe(answer(world, "invitations")),
        repo.findInvitationByHash(invitation.tokenHash).pipe(answer(world, "invitations"))
      ])
    }),
  icon: (world, a, b) =>
    Effect.gen(function* () {
      const repo = yield* OrganizationRepo
      const { id } = yield* pick(world.organizations, a)
      yield* repo.putIcon(id, b % 3 === 0 ? null : { contentType: word(b), bytes: Uint8Array.of(b) })
      return Option.map(yield* repo.icon(id), ({ contentType, bytes }) => [contentType, ...bytes])
    })
}

export const rights: Record<string, Command> = {
  addRole: (world, a, b) =>
    Effect.gen(function* () {
      const { id } = yield* pick(world.organizations, a)
      const made = (yield* RoleRepo).insert(newRole(id, { name: word(b) }))
      return yield* made.pipe(making(world.roles), answer(world, "roles"))
    }),
  updateRole: (world, a, b) =>
    Effect.gen(function* () {
      const { organizationId, id } = yield* pick(world.roles, a)
      const found = yield* present((yield* RoleRepo).find(organizationId, id))
      const role = { ...found, name: word(b), permissions: ["sdk:read" as const] }
      return yield* (yield* RoleRepo).update(role).pipe(answer(world, "roles"))
    }),
  removeRole: (world, a) =>
    Effect.flatMap(RoleRepo, (repo) => Effect.flatMap(pick(world.roles, a), ({ id }) => repo.remove(id))),
  roles: (world, a, b) =>
    Effect.gen(function* () {
      const repo = yield* RoleRepo
      const { id } = yield* pick(world.organizations, a)
      const role = yield* pick(world.roles, b)
      return yield* Effect.all([
        repo.list(id).pipe(answer(world, "roles")),
        repo.find(id, role.id).pipe(answer(world, "roles"))
      ])
    }),
  grant: (world, a, b, c) =>
    Effect.gen(function* () {
      const member = yield* presentMember(yield* pick(world.memberships, a))
      const role = yield* presentRole(world, member.organizationId, b)
      const application = yield* Effect.option(pick(world.applications, c))
      const kept = Option.filter(application, () => c % 2 === 0)
      if (Option.isSome(kept)) yield* present((yield* ProjectRepo).find(kept.value.id))
      const applicationId = Option.getOrNull(Option.map(kept, ({ id }) => id))
      const made = (yield* RoleRepo).putGrant({
        organizationId: member.organizationId,
        membershipId: member.id,
        roleId: role.id,
        applicationId,
        createdAt: instant(c),
        createdBy: member.userId
      })
      return yield* made.pipe(making(world.grants), answer(world, "grants"))
    }),
  removeGrant: (world, a, b) =>
    Effect.gen(function* () {
      const member = yield* pick(world.memberships, a)
      const application = yield* pick(world.applications, b)
      yield* (yield* RoleRepo).removeGrant(member.id, b % 2 === 0 ? null : application.id)
    }),
  grants: (world, a, b) =>
    Effect.gen(function* () {
      const repo = yield* RoleRepo
      const { id } = yield* pick(world.organizations, a)
      const member = yield* pick(world.memberships, b)
      return yield* Effect.all([
        repo.grants(id).pipe(answer(world, "grants")),
        repo.grantsOf(member.id).pipe(answer(world, "grants"))
      ])
    })
}
