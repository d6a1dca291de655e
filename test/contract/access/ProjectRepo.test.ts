import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import { ApplicationId, EnvironmentId } from "../../../src/domain/Ids.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { RoleRepo } from "../../../src/ports/access/RoleRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { everyStore } from "../../support/Stores.ts"
import {
  addApplication,
  addMember,
  addOrganization,
  addRole,
  anyText,
  instant,
  newApplication
} from "../../support/access/Tenants.ts"

const nowhere = 9_007_199_254_740_991

const addEnvironment = Effect.fnUntraced(function* (applicationId: ApplicationId, alias: string) {
  const projects = yield* ProjectRepo
  const environment = { applicationId, name: anyText, alias, createdAt: instant(3) }
  return Option.getOrThrow(yield* projects.insertEnvironment(environment))
})

for (const [label, store] of everyStore) {
  layer(store)(`projects in ${label}`, (it) => {
    it.effect("gives back what was put in, and lists it by id in its own organization", () =>
      Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const [one, other] = [yield* addOrganization, yield* addOrganization]
        const full = newApplication(one.id, { color: "#00ff00", thumbnailUrl: `https://studio.test/${anyText}` })
        const first = yield* projects.insert(full)
        const second = yield* projects.insert(newApplication(one.id))
        assert.deepStrictEqual(first, { ...full, id: first.id })
        assert.deepStrictEqual(yield* projects.find(second.id), Option.some(second))
        assert.deepStrictEqual(yield* projects.find(ApplicationId.make(nowhere)), Option.none())
        assert.deepStrictEqual(yield* projects.list(one.id), [first, second])
        assert.deepStrictEqual(yield* projects.list(other.id), [])
      })
    )

    it.effect("changes the one project and no other", () =>
      Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const { id: organizationId } = yield* addOrganization
        const [first, second] = [yield* addApplication(organizationId), yield* addApplication(organizationId)]
        const changed = { ...first, name: "New", sdkId: 2, color: "#000000", timezone: "UTC" }
        assert.deepStrictEqual(yield* projects.update(changed), changed)
        assert.deepStrictEqual(yield* projects.list(organizationId), [changed, second])
      })
    )

    it.effect("refuses an alias twice in a project, not in two projects", () =>
      Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const { id: organizationId } = yield* addOrganization
        const [one, other] = [yield* addApplication(organizationId), yield* addApplication(organizationId)]
        const production = yield* addEnvironment(one.id, "production")
        const elsewhere = yield* addEnvironment(other.id, "production")
        assert.deepStrictEqual(yield* projects.insertEnvironment({ ...production, name: "Second" }), Option.none())
        assert.deepStrictEqual(yield* projects.environments(one.id), [production])
        assert.deepStrictEqual(yield* projects.environments(other.id), [elsewhere])
        assert.deepStrictEqual(yield* projects.findEnvironment(production.id), Option.some(production))
        assert.deepStrictEqual(yield* projects.findEnvironment(EnvironmentId.make(nowhere)), Option.none())
      })
    )

    it.effect("changes an environment, but not to the alias of another", () =>
      Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const { id: applicationId } = yield* Effect.flatMap(addOrganization, ({ id }) => addApplication(id))
        const [one, other] = [yield* addEnvironment(applicationId, "one"), yield* addEnvironment(applicationId, "two")]
        const same = { ...one, name: "Renamed" }
        assert.deepStrictEqual(yield* projects.updateEnvironment(same), Option.some(same))
        const free = { ...same, alias: "three" }
        assert.deepStrictEqual(yield* projects.updateEnvironment(free), Option.some(free))
        assert.deepStrictEqual(yield* projects.updateEnvironment({ ...free, name: "x", alias: "two" }), Option.none())
        assert.deepStrictEqual(yield* projects.environments(applicationId), [free, other])
      })
    )

    it.effect("removes the one environment, and its alias is free again", () =>
      Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const { id: applicationId } = yield* Effect.flatMap(addOrganization, ({ id }) => addApplication(id))
        const [one, other] = [yield* addEnvironment(applicationId, "one"), yield* addEnvironment(applicationId, "two")]
        yield* projects.removeEnvironment(one.id)
        yield* projects.removeEnvironment(one.id)
        assert.deepStrictEqual(yield* projects.environments(applicationId), [other])
        const again = yield* addEnvironment(applicationId, "one")
        assert.isAbove(again.id, other.id)
      })
    )

    it.effect("remembers what was removed, and nothing that is not there yet", () =>
      Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const { run } = yield* Transaction
        const before = yield* projects.removedEnvironments
        const organization = yield* addOrganization
        const [gone, kept] = [yield* addApplication(organization.id), yield* addApplication(organization.id)]
        const [first, second] = [yield* addEnvironment(gone.id, "one"), yield* addEnvironment(gone.id, "two")]
        const [left, single] = [yield* addEnvironment(kept.id, "one"), yield* addEnvironment(kept.id, "two")]
        yield* Effect.flip(run(Effect.zipRight(projects.remove(gone.id), Effect.fail("no"))))
        yield* Effect.flip(run(Effect.zipRight(addEnvironment(kept.id, "three"), Effect.fail("no"))))
        yield* addEnvironment(kept.id, "four")
        assert.deepStrictEqual(yield* projects.removedEnvironments, before)
        yield* projects.removeEnvironment(single.id)
        yield* projects.removeEnvironment(single.id)
        yield* projects.remove(gone.id)
        assert.deepStrictEqual(yield* projects.removedEnvironments, [...before, first.id, second.id, single.id])
        assert.deepStrictEqual(yield* projects.findEnvironment(left.id), Option.some(left))
      })
    )

    it.effect("shows nobody outside a transaction what it may undo, though it has looked itself", () =>
      Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const { run } = yield* Transaction
        const { id } = yield* Effect.flatMap(addOrganization, (organization) => addApplication(organization.id))
        const first = yield* addEnvironment(id, "production")
        const [looked, leave] = [yield* Deferred.make<number>(), yield* Deferred.make<void>()]
        const undone = Effect.gen(function* () {
          yield* addEnvironment(id, "lost")
          yield* Deferred.succeed(looked, (yield* projects.environments(id)).length)
          yield* Deferred.await(leave)
          return yield* Effect.fail("refused")
        })
        const failing = yield* Effect.fork(Effect.exit(run(undone)))
        assert.strictEqual(yield* Deferred.await(looked), 2)
        const reading = yield* Effect.fork(projects.environments(id))
        yield* Effect.yieldNow()
        yield* Deferred.succeed(leave, undefined)
        yield* Fiber.join(failing)
        assert.deepStrictEqual(yield* Fiber.join(reading), [first])
        assert.deepStrictEqual(yield* projects.environments(id), [first])
      })
    )

    it.effect("removes a project with its environments and grants, and nothing else", () =>
      Effect.gen(function* () {
        const projects = yield* ProjectRepo
        const roles = yield* RoleRepo
        const { id: organizationId } = yield* addOrganization
        const [gone, kept] = [yield* addApplication(organizationId), yield* addApplication(organizationId)]
        const lost = yield* addEnvironment(gone.id, "production")
        const left = yield* addEnvironment(kept.id, "production")
        const { id: membershipId } = yield* addMember(organizationId)
        const { id: roleId } = yield* addRole(organizationId)
        const grant = { organizationId, membershipId, roleId, createdAt: instant(0), createdBy: null }
        const everywhere = yield* roles.putGrant({ ...grant, applicationId: null })
        yield* roles.putGrant({ ...grant, applicationId: gone.id })
        const there = yield* roles.putGrant({ ...grant, applicationId: kept.id })
        yield* projects.remove(gone.id)
        assert.deepStrictEqual(yield* projects.list(organizationId), [kept])
        assert.deepStrictEqual(yield* projects.find(gone.id), Option.none())
        assert.deepStrictEqual(yield* projects.findEnvironment(lost.id), Option.none())
        assert.deepStrictEqual(yield* projects.environments(kept.id), [left])
        assert.deepStrictEqual(yield* roles.grants(organizationId), [everywhere, there])
        const later = yield* addApplication(organizationId)
        assert.isAbove(later.id, kept.id)
      })
    )
  })
}
