import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { JsonSchemasMemory } from "../../../src/adapters/memory/configuration/JsonSchemas.ts"
import type { Configuration } from "../../../src/domain/configuration/Configuration.ts"
import type { Document } from "../../../src/domain/configuration/Document.ts"
import { maxEnvironmentBytes } from "../../../src/domain/configuration/Size.ts"
import { ApplicationId, ConfigurationId, EnvironmentId } from "../../../src/domain/Ids.ts"
import { ConfigurationRepo } from "../../../src/ports/configuration/ConfigurationRepo.ts"
import { ConfigurationCheck } from "../../../src/services/configuration/ConfigurationCheck.ts"
import { MemoryProject } from "../../support/access/MemoryProject.ts"
import { newConfiguration } from "../../support/configuration/NewConfigurations.ts"

const world = Layer.fresh(
  ConfigurationCheck.Default.pipe(Layer.provideMerge(Layer.mergeAll(MemoryProject, JsonSchemasMemory)))
)
const [one, other] = [1, 2].map((id) => ({ id: EnvironmentId.make(id), applicationId: ApplicationId.make(1) }))
const noId = ConfigurationId.make(Number.MAX_SAFE_INTEGER)

/** A document of one million characters and a few more. */
const million: Document = { text: "x".repeat(1_000_000) }

/** What holds a configuration so many times. */
const holding = ({ id: configurationId }: Configuration, times: number): Document =>
  Object.fromEntries(Array.from({ length: times }, (_, key) => [`key${key}`, { $link: { configurationId } }]))

const within = <A, E>(test: Effect.Effect<A, E, ConfigurationRepo | ConfigurationCheck>) =>
  Effect.runPromise(Effect.provide(test, world))

const add = (name: string, document: Document, environment = one!) =>
  Effect.flatMap(ConfigurationRepo, (repo) => repo.insert(newConfiguration(environment, name, { document })))

/** What is said of a configuration that is to be written; "" where it may be. */
const answerTo = (next: Configuration) =>
  Effect.flatMap(ConfigurationCheck, ({ check }) =>
    Effect.match(check(next), { onFailure: ({ message }) => message, onSuccess: () => "" })
  )

const full = `configuration: expected at most ${maxEnvironmentBytes} bytes of all configurations of the environment together, their links resolved`

describe("the room that an environment has for configurations", () => {
  it("is measured with links resolved, and is its own", () =>
    within(
      Effect.gen(function* () {
        const large = yield* add("large", million)
        for (const name of ["a", "b", "c"]) yield* add(name, holding(large, 4))
        const another = newConfiguration(one!, "d")
        assert.strictEqual(yield* answerTo({ ...another, id: noId, document: holding(large, 3) }), "")
        assert.strictEqual(yield* answerTo({ ...another, id: noId, document: holding(large, 4) }), full)
        assert.strictEqual(yield* answerTo({ ...newConfiguration(other!, "d"), id: noId, document: million }), "")
      })
    ))

  it("is filled by small ones too, each of which is sent with its name and hash", () =>
    within(
      Effect.gen(function* () {
        const large = yield* add("large", million)
        for (const name of ["a", "b", "c"]) yield* add(name, holding(large, 4))
        yield* add("d", holding(large, 3))
        const last = { ...newConfiguration(one!, "last"), id: noId, document: { text: "x".repeat(500_000) } }
        assert.strictEqual(yield* answerTo(last), "")
        for (let count = 0; count < 1000; count++) yield* add(`small ${count}`, {})
        assert.strictEqual(yield* answerTo(last), full)
        const described = { ...last, document: {}, keyDescriptions: { key: "x".repeat(500_000) } }
        assert.strictEqual(yield* answerTo(described), full)
        assert.strictEqual(yield* answerTo({ ...last, document: {} }), "")
      })
    ))

  it("counts those that hold a configuration when it grows, and lets what is over its limit shrink", () =>
    within(
      Effect.gen(function* () {
        const large = yield* add("large", { text: "x".repeat(900_000) })
        for (const name of ["a", "b", "c", "d"]) yield* add(name, holding(large, 4))
        const [more, less] = [{ text: "x".repeat(1_020_000) }, { text: "y" }]
        assert.strictEqual(yield* answerTo({ ...large, document: more }), full)
        assert.strictEqual(yield* answerTo({ ...large, document: less }), "")

        for (const name of ["e", "f"]) yield* add(name, million)
        assert.strictEqual(yield* answerTo({ ...large, document: { text: "x".repeat(899_999) } }), "")
        assert.strictEqual(yield* answerTo({ ...large, name: "another name" }), "")
        assert.strictEqual(yield* answerTo({ ...large, document: { text: "x".repeat(900_001) } }), full)
        assert.strictEqual(yield* answerTo({ ...newConfiguration(one!, "g"), id: noId }), full)
      })
    ))
})
