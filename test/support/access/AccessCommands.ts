import { Effect, Option } from "effect"
import { UserId } from "../../../src/domain/Ids.ts"
import { BrowserRepo } from "../../../src/ports/access/BrowserRepo.ts"
import { CredentialRepo } from "../../../src/ports/access/CredentialRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { UserRepo } from "../../../src/ports/access/UserRepo.ts"
import type { Command } from "./AccessCommand.ts"
import { present, word } from "./AccessCommand.ts"
import { answer, making, pick } from "./AccessWorld.ts"
import { organizations, rights } from "./OrganizationCommands.ts"
import { instant, newApplication, newKey, newUser } from "./Tenants.ts"

const userId = (n: number) => UserId.make(`00000000-0000-4000-9000-${String(n).padStart(12, "0")}`)

const account = (n: number) => ({
  handle: `handle ${n}`,
  userId: userId(n),
  isActive: false,
  byPasswordAlone: n % 2 === 0,
  expiresAt: instant(50),
  lastUsedAt: instant(n),
  createdAt: instant(-n),
  browser: n % 2 === 0 ? null : "Firefox on Linux",
  address: n % 3 === 0 ? null : "203.0.113.7"
})

const emailOf = (n: number) => ["ada@studio.test", "ADA@studio.test", "bob@studio.test", "eve@studio.test"][n % 4] ?? ""

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
