import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import type {
  Configuration,
  ConfigurationVersion,
  NewConfiguration
} from "../../../src/domain/configuration/Configuration.ts"
import { ConfigurationId } from "../../../src/domain/Ids.ts"
import { ConfigurationRepo } from "../../../src/ports/configuration/ConfigurationRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { addEnvironments } from "../../support/access/Tenants.ts"
import { everyStore } from "../../support/Stores.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import {
  anyText,
  createdAt,
  author,
  document,
  newConfiguration
} from "../../support/configuration/NewConfigurations.ts"
const nowhere = ConfigurationId.make(999_999)

const full: Partial<NewConfiguration> = {
  alias: anyText,
  description: anyText,
  document,
  privacy: [["a", "b"], ["__proto__"], ["z"]],
  schema: { type: "object", properties: { snake_case: true } },
  keyDescriptions: { "a.b": anyText, __proto__x: "" },
  isPrimary: true,
  updatedBy: author
}

const firstVersion = ({ id, document: held, privacy, hash }: Configuration): ConfigurationVersion => ({
  configurationId: id,
  version: 1,
  hash,
  document: held,
  privacy,
  reason: null,
  createdAt,
  createdBy: null
})

const link = (configurationId: number) => ({ $link: { configurationId } })

for (const [label, store] of everyStore) {
  layer(store)(`configurations in ${label}`, (it) => {
    it.effect("gives back what was put in, letter for letter, in its own environment", () =>
      Effect.gen(function* () {
        const configurations = yield* ConfigurationRepo
        const [one, other] = yield* addEnvironments
        const added = newConfiguration(one, anyText, full)
        const first = yield* configurations.insert(added)
        const elsewhere = yield* configurations.insert(newConfiguration(other, anyText))
        const second = yield* configurations.insert(newConfiguration(one, "b"))
        assert.deepStrictEqual(first, { ...added, id: first.id })
        assert.isAbove(second.id, first.id)
        assert.deepStrictEqual(yield* configurations.list(one.id), [first, second])
        assert.deepStrictEqual(yield* configurations.list(other.id), [elsewhere])
        assert.deepStrictEqual(
          yield* configurations.listWritten(one.id),
          [first, second].map(({ document: held, ...summary }) => ({ summary, document: JSON.stringify(held) }))
        )
        assert.deepStrictEqual(yield* configurations.find(one.id, first.id), Option.some(first))
        assert.deepStrictEqual(yield* configurations.find(other.id, first.id), Option.none())
        const { document: held, ...described } = first
        assert.deepStrictEqual(
          yield* configurations.findWritten(one.id, first.id),
          Option.some({ summary: described, document: JSON.stringify(held) })
        )
        assert.deepStrictEqual(yield* configurations.findWritten(other.id, first.id), Option.none())
        assert.deepStrictEqual(yield* configurations.find(one.id, nowhere), Option.none())
        const read = Option.getOrThrow(yield* configurations.find(one.id, first.id))
        assert.strictEqual(JSON.stringify(read.document), JSON.stringify(document))
        const { document: _, ...summary } = first
        assert.deepStrictEqual((yield* configurations.summaries(one.id))[0], summary)
        assert.deepStrictEqual(
          (yield* configurations.summaries(one.id)).map(({ id }) => id),
          [first.id, second.id]
        )
      })
    )

    it.effect("tells how much each of an environment is", () =>
      Effect.gen(function* () {
        const configurations = yield* ConfigurationRepo
        const [one, other] = yield* addEnvironments
        const first = yield* configurations.insert(newConfiguration(one, "a", full))
        const second = yield* configurations.insert(newConfiguration(one, "b", { document: { a: link(first.id) } }))
        yield* configurations.insert(newConfiguration(other, "c"))
        const bytesOf = (held: unknown) => Buffer.byteLength(JSON.stringify(held))
        assert.deepStrictEqual(yield* configurations.sizes(one.id), [
          {
            id: first.id,
            bytes: bytesOf(document),
            besideBytes: bytesOf(full.schema) + bytesOf(full.privacy) + bytesOf(full.keyDescriptions),
            hasLinks: false
          },
          {
            id: second.id,
            bytes: bytesOf(second.document),
            besideBytes: bytesOf(null) + bytesOf([]) + bytesOf({}),
            hasLinks: true
          }
        ])
      })
    )

    it.effect("changes the one configuration and no other", () =>
      Effect.gen(function* () {
        const configurations = yield* ConfigurationRepo
        const [one] = yield* addEnvironments
        const first = yield* configurations.insert(newConfiguration(one, "a", full))
        const second = yield* configurations.insert(newConfiguration(one, "b"))
        const changed = { ...newConfiguration(one, "c", { version: 2, hash: "other" }), id: first.id }
        assert.deepStrictEqual(yield* configurations.update(changed), changed)
        assert.deepStrictEqual(yield* configurations.list(one.id), [changed, second])
      })
    )

    it.effect("is found by name or alias, letter for letter", () =>
      Effect.gen(function* () {
        const configurations = yield* ConfigurationRepo
        const [one, other] = yield* addEnvironments
        const shop = yield* configurations.insert(newConfiguration(one, "shop", { alias: "store" }))
        const bare = yield* configurations.insert(newConfiguration(one, "bare"))
        for (const called of ["shop", "store"]) {
          assert.deepStrictEqual(yield* configurations.findByNameOrAlias(one.id, called), Option.some(shop))
          assert.deepStrictEqual(yield* configurations.findByNameOrAlias(other.id, called), Option.none())
        }
        assert.deepStrictEqual(yield* configurations.findByNameOrAlias(one.id, "bare"), Option.some(bare))
        for (const called of ["Shop", "shop ", "", "null", "%"]) {
          assert.deepStrictEqual(yield* configurations.findByNameOrAlias(one.id, called), Option.none())
        }
      })
    )

    it.effect("has one primary configuration in each environment at most", () =>
      Effect.gen(function* () {
        const configurations = yield* ConfigurationRepo
        const [one, other] = yield* addEnvironments
        const [a, b] = [
          yield* configurations.insert(newConfiguration(one, "a")),
          yield* configurations.insert(newConfiguration(one, "b"))
        ]
        const elsewhere = yield* configurations.insert(newConfiguration(other, "c", { isPrimary: true }))
        assert.deepStrictEqual(yield* configurations.primary(one.id), Option.none())
        yield* configurations.makePrimary(one.id, a.id)
        yield* configurations.makePrimary(one.id, b.id)
        yield* configurations.makePrimary(one.id, b.id)
        assert.deepStrictEqual(yield* configurations.primary(one.id), Option.some({ ...b, isPrimary: true }))
        assert.deepStrictEqual(yield* configurations.list(one.id), [a, { ...b, isPrimary: true }])
        assert.deepStrictEqual(yield* configurations.primary(other.id), Option.some(elsewhere))
        yield* configurations.remove(b.id)
        assert.deepStrictEqual(yield* configurations.primary(one.id), Option.none())
      })
    )

    it.effect("knows which documents have a link to it, as they are now", () =>
      Effect.gen(function* () {
        const configurations = yield* ConfigurationRepo
        const [one, other] = yield* addEnvironments
        const target = yield* configurations.insert(newConfiguration(one, "target"))
        const twice = { document: { a: link(target.id), b: [{ c: link(target.id) }, link(nowhere)] } }
        const first = yield* configurations.insert(newConfiguration(one, "first", twice))
        yield* configurations.insert(newConfiguration(other, "elsewhere", twice))
        const linked = Effect.map(configurations.linkedTo(one.id, target.id), (found) => found.map(({ id }) => id))
        assert.deepStrictEqual(yield* linked, [first.id])
        yield* configurations.update({ ...target, document: { a: link(target.id) } })
        assert.deepStrictEqual(yield* linked, [target.id, first.id])
        yield* configurations.update({ ...first, document: { a: link(nowhere) } })
        assert.deepStrictEqual(yield* linked, [target.id])
        yield* configurations.remove(target.id)
        assert.deepStrictEqual(yield* linked, [])
      })
    )

    it.effect("goes with its environment and with its project, versions and all", () =>
      Effect.gen(function* () {
        const configurations = yield* ConfigurationRepo
        const projects = yield* ProjectRepo
        const [one, other] = yield* addEnvironments
        const [lost] = yield* addEnvironments
        const add = Effect.fnUntraced(function* (environment: typeof one) {
          const added = yield* configurations.insert(newConfiguration(environment, "a"))
          yield* configurations.insertVersion(firstVersion(added))
          return added
        })
        const [gone, kept, goneToo] = [yield* add(one), yield* add(other), yield* add(lost)]
        yield* projects.removeEnvironment(one.id)
        yield* projects.remove(lost.applicationId)
        yield* clearRemoved
        for (const each of [gone, goneToo]) {
          assert.deepStrictEqual(yield* configurations.list(each.environmentId), [])
          assert.deepStrictEqual(yield* configurations.versions(each.id, null, 1), [])
        }
        assert.deepStrictEqual(yield* configurations.list(other.id), [kept])
        assert.strictEqual((yield* configurations.versions(kept.id, null, 1)).length, 1)
        const next = yield* configurations.insert(newConfiguration(other, "b"))
        assert.isAbove(next.id, goneToo.id)
      })
    )

    it.effect("forgets what a failed transaction wrote", () =>
      Effect.gen(function* () {
        const configurations = yield* ConfigurationRepo
        const transaction = yield* Transaction
        const [one] = yield* addEnvironments
        const kept = yield* configurations.insert(newConfiguration(one, "a"))
        const write = Effect.gen(function* () {
          yield* configurations.update({ ...kept, document: { a: link(kept.id) }, version: 2 })
          yield* configurations.makePrimary(one.id, kept.id)
          yield* configurations.insertVersion(firstVersion(kept))
          return yield* Effect.fail("no")
        })
        yield* Effect.flip(transaction.run(write))
        assert.deepStrictEqual(yield* configurations.list(one.id), [kept])
        assert.deepStrictEqual(yield* configurations.linkedTo(one.id, kept.id), [])
        assert.deepStrictEqual(yield* configurations.versions(kept.id, null, 1), [])
      })
    )
  })
}
