import { assert } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import { ApplicationId, EnvironmentId } from "../../src/domain/Ids.ts"
import type { OrganizationId } from "../../src/domain/Ids.ts"
import { ProjectRepo } from "../../src/ports/ProjectRepo.ts"
import { RoleRepo } from "../../src/ports/RoleRepo.ts"
import { Transaction } from "../../src/ports/Transaction.ts"
import { cachedStores, contract } from "../support/MetadataStores.ts"
import {
  addApplication,
  addMember,
  addOrganization,
  addRole,
  addUser,
  at,
  dies,
  newApplication,
  newEnvironment,
  newGrant,
  same,
  userId
} from "../support/Rows.ts"

const studio = Effect.gen(function* () {
  yield* addUser(1)
  return yield* addOrganization("studio")
})

const addGame = (id: OrganizationId, name: string) => addApplication(id, name, userId(1))

const addEnvironment = Effect.fnUntraced(function* (id: ApplicationId, alias: string) {
  return Option.getOrThrow(yield* (yield* ProjectRepo).insertEnvironment(newEnvironment(id, alias)))
})

contract(
  "ProjectRepo: applications",
  (holds) => {
    holds("keeps every field, null or not, and lists an organization's own by id", () =>
      Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const { id } = yield* studio
        const other = yield* addOrganization("other")
        const fields = {
          ...newApplication(id, "Jeu 🎮", userId(1)),
          sdkId: 6,
          color: "#123456",
          thumbnailUrl: "https://studio.test/a.png",
          timezone: "Asia/Kathmandu",
          createdAt: at(123)
        }
        const full = yield* projects.insert(fields)
        const foreign = yield* addGame(other.id, "Jeu 🎮")
        const plain = yield* addGame(id, "a")
        same(full, { id: full.id, ...fields })
        same(yield* projects.find(full.id), Option.some(full))
        same(yield* projects.find(foreign.id), Option.some(foreign))
        same(yield* projects.find(ApplicationId.make(99)), Option.none())
        same(yield* projects.list(id), [full, plain])
        same(yield* projects.list(other.id), [foreign])
      })
    )

    holds("updates one; an update of none is a defect", () =>
      Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const { id } = yield* studio
        const game = yield* addGame(id, "game")
        const other = yield* addGame(id, "other")
        const changed = { ...game, name: "renamed", sdkId: 2, color: "#000000", timezone: "Europe/Paris" }
        same(yield* projects.update(changed), changed)
        same(yield* projects.list(id), [changed, other])
        yield* dies(projects.update({ ...changed, id: ApplicationId.make(99) }))
      })
    )

    holds("removes one with its environments and grants, keeps the rest, and never reuses its id", () =>
      Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const roles = yield* RoleRepo
        const { id } = yield* studio
        const kept = yield* addGame(id, "kept")
        const gone = yield* addGame(id, "gone")
        const stays = yield* addEnvironment(kept.id, "production")
        const goes = yield* addEnvironment(gone.id, "production")
        const member = yield* addMember(id, userId(1))
        const role = yield* addRole(id, "role")
        const wide = yield* roles.putGrant(newGrant(id, member.id, role.id))
        const narrow = yield* roles.putGrant(newGrant(id, member.id, role.id, kept.id))
        yield* roles.putGrant(newGrant(id, member.id, role.id, gone.id))
        yield* projects.remove(gone.id)
        yield* projects.remove(gone.id)
        same(yield* projects.list(id), [kept])
        same(yield* projects.find(gone.id), Option.none())
        same(yield* projects.findEnvironment(goes.id), Option.none())
        same(yield* projects.findEnvironment(stays.id), Option.some(stays))
        same(yield* roles.grants(id), [wide, narrow])
        const next = yield* addGame(id, "next")
        assert.isAbove(next.id, gone.id)
        assert.isAbove((yield* addEnvironment(next.id, "production")).id, goes.id)
      })
    )
  },
  cachedStores
)

contract(
  "ProjectRepo: environments",
  (holds) => {
    holds("keeps every field and lists a project's own by id", () =>
      Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const { id } = yield* studio
        const game = yield* addGame(id, "game")
        const other = yield* addGame(id, "other")
        const fields = { applicationId: game.id, name: "Prodüction 🎮", alias: "z", createdAt: at(4) }
        const first = Option.getOrThrow(yield* projects.insertEnvironment(fields))
        const foreign = yield* addEnvironment(other.id, "z")
        const second = yield* addEnvironment(game.id, "a")
        same(first, { id: first.id, ...fields })
        same(yield* projects.environments(game.id), [first, second])
        same(yield* projects.environments(other.id), [foreign])
        same(yield* projects.findEnvironment(second.id), Option.some(second))
        same(yield* projects.findEnvironment(EnvironmentId.make(99)), Option.none())
      })
    )

    holds("has each alias once; a refusal changes nothing", () =>
      Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const { id } = yield* studio
        const game = yield* addGame(id, "game")
        const first = yield* addEnvironment(game.id, "production")
        const second = yield* addEnvironment(game.id, "development")
        same(yield* projects.insertEnvironment(newEnvironment(game.id, "production")), Option.none())
        same(yield* projects.updateEnvironment({ ...second, name: "Taken", alias: "production" }), Option.none())
        same(yield* projects.environments(game.id), [first, second])
      })
    )

    holds("updates one, keeping its own alias or taking a free one; an update of none is a defect", () =>
      Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const { id } = yield* studio
        const game = yield* addGame(id, "game")
        const first = yield* addEnvironment(game.id, "production")
        const second = yield* addEnvironment(game.id, "development")
        const renamed = { ...first, name: "Live" }
        same(yield* projects.updateEnvironment(renamed), Option.some(renamed))
        const moved = { ...renamed, alias: "live" }
        same(yield* projects.updateEnvironment(moved), Option.some(moved))
        same(yield* projects.environments(game.id), [moved, second])
        yield* dies(projects.updateEnvironment({ ...moved, id: EnvironmentId.make(99), alias: "new" }))
      })
    )

    holds("removes one and frees its alias", () =>
      Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const { id } = yield* studio
        const game = yield* addGame(id, "game")
        const first = yield* addEnvironment(game.id, "production")
        const second = yield* addEnvironment(game.id, "development")
        yield* projects.removeEnvironment(first.id)
        yield* projects.removeEnvironment(first.id)
        same(yield* projects.environments(game.id), [second])
        assert.isAbove((yield* addEnvironment(game.id, "production")).id, second.id)
      })
    )

    holds("shows nobody outside a transaction what it may undo, though the transaction has seen it", () =>
      Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const transaction = yield* Transaction
        const { id } = yield* studio
        const game = yield* addGame(id, "game")
        const first = yield* addEnvironment(game.id, "production")
        const seen = yield* Deferred.make<number>()
        const open = yield* Deferred.make<void>()
        const undone = Effect.gen(function* () {
          yield* projects.environments(game.id)
          yield* addEnvironment(game.id, "undone")
          yield* Deferred.succeed(seen, (yield* projects.environments(game.id)).length)
          yield* Deferred.await(open)
          return yield* Effect.fail("refused")
        })
        const writer = yield* Effect.fork(Effect.exit(transaction.run(undone)))
        assert.strictEqual(yield* Deferred.await(seen), 2)
        const reader = yield* Effect.fork(projects.environments(game.id))
        yield* Effect.yieldNow()
        yield* Deferred.succeed(open, undefined)
        yield* Fiber.join(writer)
        same(yield* Fiber.join(reader), [first])
        same(yield* projects.environments(game.id), [first])
      })
    )
  },
  cachedStores
)
