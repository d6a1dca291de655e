// @effect-diagnostics runEffectInsideEffect:off -- fast-check takes promises
import { assert, describe, it } from "@effect/vitest"
import type { Context } from "effect"
import { Effect, Exit, FastCheck as fc, Layer } from "effect"
import { MemoryMetadata } from "../../src/adapters/memory/Memory.ts"
import { SqliteMetadata } from "../../src/adapters/sqlite/Sqlite.ts"
import { Transaction } from "../../src/ports/operations/Transaction.ts"
import { commands } from "../support/access/AccessCommands.ts"
import type { World } from "../support/access/AccessWorld.ts"
import { emptyWorld, mark } from "../support/access/AccessWorld.ts"
import { runCount } from "../support/Runs.ts"

type MetadataPorts = Layer.Layer.Success<typeof MemoryMetadata>

type Step =
  | { readonly command: string; readonly choice: readonly [number, number, number] }
  | { readonly steps: ReadonlyArray<Step>; readonly fails: boolean }

const numbers = fc.nat({ max: 5 })
const command = fc.record({
  command: fc.constantFrom(...Object.keys(commands)),
  choice: fc.tuple(numbers, numbers, numbers)
})
const transaction = (steps: fc.Arbitrary<Step>) =>
  fc.record({ steps: fc.array(steps, { maxLength: 6 }), fails: fc.boolean() })
const inner = fc.oneof({ weight: 9, arbitrary: command }, { weight: 1, arbitrary: transaction(command) })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: command },
  { weight: 1, arbitrary: transaction(inner) }
)

/** A studio with everything in it, so that few steps reach far. */
const beginning = [
  "addUser",
  "addUser",
  "addOrganization",
  "addMember",
  "addRole",
  "addApplication",
  "addEnvironment",
  "grant",
  "addKey",
  "invite",
  "addBrowser"
].map((name, n): Step => ({ command: name, choice: [2 * n, 0, 0] }))

const outcome = <A, E>(exit: Exit.Exit<A, E>) =>
  Exit.match(exit, {
    onSuccess: (value) => JSON.parse(JSON.stringify(value ?? null)),
    onFailure: ({ _tag }) => _tag
  })

const play = (world: World, step: Step): Effect.Effect<unknown, never, MetadataPorts> => {
  if ("command" in step) return Effect.map(Effect.exit(commands[step.command]!(world, ...step.choice)), outcome)
  return Effect.gen(function* () {
    const forget = mark(world)
    const steps = Effect.forEach(step.steps, (each) => play(world, each))
    const end = step.fails ? Effect.fail("undone") : Effect.void
    const exit = yield* Effect.exit((yield* Transaction).run(Effect.zipLeft(steps, end)))
    if (Exit.isFailure(exit)) forget()
    return outcome(exit)
  })
}

/** What a store answers to each step; it is empty again afterwards. */
const answers = (steps: ReadonlyArray<Step>, store: Context.Context<MetadataPorts>) =>
  Effect.gen(function* () {
    const world = emptyWorld()
    const given: Array<unknown> = []
    const played = Effect.forEach(steps, (each) => Effect.map(play(world, each), (answer) => given.push(answer)))
    yield* Effect.flip((yield* Transaction).run(Effect.zipRight(played, Effect.fail("undone"))))
    return given
  }).pipe(Effect.provide(store))

describe("metadata stores", () => {
  it.scoped(
    "answer the same to the same requests, whatever was made, changed, removed or undone before",
    () =>
      Effect.gen(function* () {
        const memory = yield* Layer.build(MemoryMetadata)
        const sqlite = yield* Layer.build(SqliteMetadata(":memory:"))
        const program = fc.array(step, { minLength: 5, maxLength: 25 })
        const agree = fc.asyncProperty(program, (rest) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const steps = [...beginning, ...rest]
              assert.deepStrictEqual(yield* answers(steps, sqlite), yield* answers(steps, memory))
            })
          )
        )
        yield* Effect.promise(() => fc.assert(agree, { numRuns: runCount(1000) }))
      }),
    300_000
  )
})
