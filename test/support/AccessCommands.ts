import { Effect, Option } from "effect"
import type { Cause } from "effect"
import type { Membership } from "../../src/domain/access/Organization.ts"
import type { RoleId } from "../../src/domain/Ids.ts"
import { UserId } from "../../src/domain/Ids.ts"
import { BrowserRepo } from "../../src/ports/BrowserRepo.ts"
import { CredentialRepo } from "../../src/ports/CredentialRepo.ts"
import { OrganizationRepo } from "../../src/ports/OrganizationRepo.ts"
import { ProjectRepo } from "../../src/ports/ProjectRepo.ts"
import { RoleRepo } from "../../src/ports/RoleRepo.ts"
import { UserRepo } from "../../src/ports/UserRepo.ts"
import type { World } from "./AccessWorld.ts"
import { answer, making, pick } from "./AccessWorld.ts"
import { instant, newApplication, newInvitation, newKey, newRole, newUser } from "./Tenants.ts"

type MetadataPorts = BrowserRepo | CredentialRepo | OrganizationRepo | ProjectRepo | RoleRepo | UserRepo

const userId = (n: number) => UserId.make(`00000000-0000-4000-9000-${String(n).padStart(12, "0")}`)

const account = (n: number) => ({
  handle: `handle ${n}`,
  userId: userId(n),
  isActive: false,
  expiresAt: instant(50),
  lastUsedAt: instant(n),
  createdAt: instant(-n)
})

/** What a command does with the rows that `a`, `b` and `c` choose; it fails where there is none to choose. */
type Command = (
  world: World,
  a: number,
  b: number,
  c: number
) => Effect.Effect<unknown, Cause.NoSuchElementException, MetadataPorts>

const emailOf = (n: number) => ["ada@studio.test", "ADA@studio.test", "bob@studio.test", "eve@studio.test"][n % 4] ?? ""
const word = (n: number) => `word ${n % 3}`

/** Fails where the row was removed: what must be there is the caller's to know. */
const present = <A, R>(found: Effect.Effect<Option.Option<A>, never, R>) => Effect.flatten(found)

const presentMember = Effect.fnUntraced(function* ({ organizationId, id }: Membership) {
  return yield* present((yield* OrganizationRepo).findMember(organizationId, id))
})

const presentRole = Effect.fnUntraced(function* (
  world: World,
  organizationId: Membership["organizationId"],
  n: number
) {
  const ids = world.roles.filter((role) => role.organizationId === organizationId).map(({ id }): RoleId => id)
  return yield* present((yield* RoleRepo).find(organizationId, yield* pick(ids, n)))
})

const people: Record<string, Command> = {
  addUser: (world, a, b) =>
    Effect.gen(function* () {
      const users = yield* UserRepo
      const n = world.users.length + 1
      const fields = { id: userId(n), email: emailOf(a), externalReference: `usr_${n}` }
      const user = newUser({ ...fields, deletedAt: b % 2 === 0 ? null : instant(b) })
      return yield* users.insert(user).pipe(making(world.users))
    }),
  updateUser: (world, a, b) =>
    Effect.gen(function* () {
      const users = yield* UserRepo
      const user = yield* pick(world.users, a)
      const holder = Option.getOrElse(yield* users.findByEmail(emailOf(b)), () => user)
      return holder.id === user.id ? yield* users.update({ ...user, email: emailOf(b), name: word(b) }) : "taken"
    }),
  findUser: (_, a) => Effect.flatMap(UserRepo, (users) => users.find(userId(a))),
  findByEmail: (_, a) => Effect.flatMap(UserRepo, (users) => users.findByEmail(` ${emailOf(a)}`)),
  addBrowser: (world, a, b) =>
    Effect.gen(function* () {
      const tokenHash = `hash ${world.browsers.length}`
      const accounts = world.users.map((_, n) => account(n + 1)).slice(a % 2)
      const ordered = b % 2 === 0 ? accounts : accounts.toReversed()
      const made = (yield* BrowserRepo).insert({ tokenHash, createdAt: instant(a), accounts: ordered })
      return yield* made.pipe(making(world.browsers), answer(world, "browsers"))
    }),
  updateBrowser: (world, a, b) =>
    Effect.gen(function* () {
      const browser = yield* present((yield* BrowserRepo).findByTokenHash((yield* pick(world.browsers, a)).tokenHash))
      const accounts = browser.accounts.slice(b % 2).map((each) => ({ ...each, isActive: b % 3 === 0 }))
      return yield* (yield* BrowserRepo).update({ ...browser, accounts }).pipe(answer(world, "browsers"))
    }),
  removeBrowser: (world, a) =>
    Effect.flatMap(BrowserRepo, (browsers) =>
      Effect.flatMap(pick(world.browsers, a), (browser) => browsers.remove(browser.id))
    ),
  browsersOf: (world, a) =>
    Effect.flatMap(BrowserRepo, (browsers) => browsers.listOfUser(userId(a)).pipe(answer(world, "browsers"))),
  findBrowser: (world, a) =>
    Effect.flatMap(BrowserRepo, (browsers) => browsers.findByTokenHash(`hash ${a}`).pipe(answer(world, "browsers")))
}

const organizations: Record<string, Command> = {
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

const rights: Record<string, Command> = {
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

const projects: Record<string, Command> = {
  addApplication: (world, a, b) =>
    Effect.gen(function* () {
      const { id } = yield* pick(world.organizations, a)
      const user = yield* pick(world.users, b)
      const made = (yield* ProjectRepo).insert(newApplication(id, { name: word(b), createdBy: user.id }))
      return yield* made.pipe(making(world.applications), answer(world, "applications"))
    }),
  updateApplication: (world, a, b) =>
    Effect.gen(function* () {
      const { id } = yield* pick(world.applications, a)
      const found = yield* present((yield* ProjectRepo).find(id))
      const application = { ...found, name: word(b), thumbnailUrl: word(b) }
      return yield* (yield* ProjectRepo).update(application).pipe(answer(world, "applications"))
    }),
  removeApplication: (world, a) =>
    Effect.flatMap(ProjectRepo, (repo) => Effect.flatMap(pick(world.applications, a), ({ id }) => repo.remove(id))),
  addEnvironment: (world, a, b) =>
    Effect.gen(function* () {
      const repo = yield* ProjectRepo
      const { id } = yield* present(repo.find((yield* pick(world.applications, a)).id))
      const made = repo.insertEnvironment({ applicationId: id, name: word(a), alias: word(b), createdAt: instant(b) })
      return yield* made.pipe(making(world.environments), answer(world, "environments"))
    }),
  updateEnvironment: (world, a, b) =>
    Effect.gen(function* () {
      const { id } = yield* pick(world.environments, a)
      const found = yield* present((yield* ProjectRepo).findEnvironment(id))
      const environment = { ...found, alias: word(b), name: word(a) }
      return yield* (yield* ProjectRepo).updateEnvironment(environment).pipe(answer(world, "environments"))
    }),
  removeEnvironment: (world, a) =>
    Effect.flatMap(ProjectRepo, (repo) =>
      Effect.flatMap(pick(world.environments, a), ({ id }) => repo.removeEnvironment(id))
    ),
  applications: (world, a, b) =>
    Effect.gen(function* () {
      const repo = yield* ProjectRepo
      const { id } = yield* pick(world.organizations, a)
      const application = yield* pick(world.applications, b)
      const environment = yield* pick(world.environments, b)
      return yield* Effect.all([
        repo.list(id).pipe(answer(world, "applications")),
        repo.find(application.id).pipe(answer(world, "applications")),
        repo.environments(application.id).pipe(answer(world, "environments")),
        repo.findEnvironment(environment.id).pipe(answer(world, "environments"))
      ])
    })
}

const credentials: Record<string, Command> = {
  addKey: (world, a, b, c) =>
    Effect.gen(function* () {
      const { id } = yield* pick(world.organizations, a)
      const user = yield* pick(world.users, b)
      const type = (["public", "secret"] as const)[c % 3] ?? "personal"
      const owner = type === "personal" ? user.id : null
      const key = newKey(id, { type, userId: owner, secretHash: `key ${world.keys.length}`, name: word(b) })
      const made = (yield* CredentialRepo).insert(key)
      return yield* made.pipe(making(world.keys), answer(world, "keys"))
    }),
  updateKey: (world, a, b) =>
    Effect.gen(function* () {
      const key = { ...(yield* pick(world.keys, a)), allProjects: b % 2 === 0, expiresAt: instant(b) }
      return yield* (yield* CredentialRepo).update(key).pipe(answer(world, "keys"))
    }),
  touchKey: (world, a, b) =>
    Effect.flatMap(CredentialRepo, (repo) =>
      Effect.flatMap(pick(world.keys, a), ({ id }) => repo.touch(id, instant(b)))
    ),
  keys: (world, a, b, c) =>
    Effect.gen(function* () {
      const repo = yield* CredentialRepo
      const { id } = yield* pick(world.organizations, a)
      const user = yield* pick(world.users, b)
      const key = yield* pick(world.keys, c)
      return yield* Effect.all([
        repo.list(id).pipe(answer(world, "keys")),
        repo.listPersonal(user.id).pipe(answer(world, "keys")),
        repo.find(id, key.id).pipe(answer(world, "keys")),
        repo.findPersonal(user.id, key.id).pipe(answer(world, "keys")),
        repo.findBySecretHash(key.secretHash).pipe(answer(world, "keys"))
      ])
    })
}

/** Everything the metadata ports can be asked, over rows that exist, did exist or clash. */
export const commands = { ...people, ...organizations, ...rights, ...projects, ...credentials }
