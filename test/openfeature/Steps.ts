import { assert } from "vitest"
import type { Work } from "./Gherkin.ts"
import { ask, type Details, evaluate, type HeardHook, type ProviderState, valueOf, type World } from "./World.ts"

const detailsOf = (world: World): Details => {
  if (world.details === null) throw new Error("nothing was evaluated")
  return world.details
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null

const hookInto = (world: World, name = ""): HeardHook => {
  const note = (stage: string, details: Details | null) => {
    world.heard.push([stage, details === null ? null : structuredClone(details)])
    world.ordered.push(`${name} ${stage}`.trim())
  }
  return {
    before: () => note("before", null),
    after: (_, details) => note("after", details),
    error: () => note("error", null),
    finally: (_, details) => note("finally", details)
  }
}

/** Fields of the evaluation details by the names of the scenarios. */
const field = (details: Details, name: string): unknown => {
  const fields: Record<string, unknown> = {
    flag_key: details.flagKey,
    value: details.value,
    variant: details.variant,
    reason: details.reason,
    error_code: details.errorCode
  }
  return fields[name]
}

const open = async (world: World, state: string): Promise<void> => {
  await world.subject?.close()
  world.subject = await world.open(state as ProviderState)
}

const sameValue = (world: World, type: string, text: string) =>
  assert.deepStrictEqual<unknown>(detailsOf(world).value, valueOf(type, text))

const evaluateWith = async (world: World, type: string, key: string, fallback: string) => {
  ask(world, type, key, fallback)
  await evaluate(world)
}

const pictures = (world: World, words: ReadonlyArray<string>) => {
  const [one = "", two = "", three = "", shown = "", title = "", count = ""] = words
  assert.deepInclude(detailsOf(world).value as object, {
    [one]: shown === "true",
    [two]: title,
    [three]: Number(count)
  })
}

type Definition = readonly [RegExp, Work<World>]

const given: ReadonlyArray<Definition> = [
  [/^an? (stable|not ready|error|fatal|stale) provider$/, (world, [state = ""]) => open(world, state)],
  [
    /^an? (\w+)-flag with key "(.*)" and a fallback value "(.*)"$/,
    (world, [type = "", key = "", fallback = ""]) => ask(world, type, key, fallback)
  ],
  [
    /^a context containing a key "(.*)", with type "(\w+)" and with value "(.*)"$/,
    (world, [key = "", type = "", text = ""]) => {
      const value = valueOf(type.toLowerCase(), text)
      if (typeof value !== "object") world.context[key] = value
    }
  ],
  [
    /^a context containing a key "(.*)" with null value$/,
    (world, [key = ""]) => {
      world.context[key] = null
    }
  ],
  [
    /^context contains keys "(.*)", "(.*)", "(.*)", "(.*)" with values "(.*)", "(.*)", (\d+), "(.*)"$/,
    (world, words) => {
      const [first = "", last = "", age = "", customer = "", firstName = "", lastName = "", years = "", is = ""] = words
      world.context = { [first]: firstName, [last]: lastName, [age]: Number(years), [customer]: is === "true" }
    }
  ],
  [/^a client with added hook$/, (world) => world.subject?.addHook(hookInto(world))],
  [/^evaluation options containing specific hooks$/, () => undefined],
  [
    /^an evaluation context with modifiable data$/,
    (world) => {
      world.context = { level: 3 }
    }
  ]
]

const when: ReadonlyArray<Definition> = [
  [/^the flag was evaluated with details(?: asynchronously)?$/, (world) => evaluate(world)],
  [
    /^the flag was evaluated with details using the evaluation options$/,
    (world) => evaluate(world, [hookInto(world, "one"), hookInto(world, "two")])
  ],
  [
    /^an? (\w+) flag with key "(.*)" is evaluated with (?:details and )?default value "?(.*?)"?$/,
    (world, [type = "", key = "", fallback = ""]) => evaluateWith(world, type, key, fallback)
  ],
  [
    /^an object flag with key "(.*)" is evaluated with (?:details and )?a null default value$/,
    (world, [key = ""]) => evaluateWith(world, "object", key, "{}")
  ],
  [
    /^a flag with key "(.*)" is evaluated with default value "(.*)"$/,
    (world, [key = "", fallback = ""]) => evaluateWith(world, "string", key, fallback)
  ],
  [
    /^a non-existent string flag with key "(.*)" is evaluated with details and a fallback value "(.*)"$/,
    (world, [key = "", fallback = ""]) => evaluateWith(world, "string", key, fallback)
  ],
  [
    /^a string flag with key "(.*)" is evaluated as an integer, with details and a fallback value (\d+)$/,
    (world, [key = "", fallback = ""]) => evaluateWith(world, "integer", key, fallback)
  ]
]

const returned: ReadonlyArray<Definition> = [
  [
    /^the resolved details value should be "(.*)"$/,
    (world, [text = ""]) => sameValue(world, world.question?.type ?? "", text)
  ],
  [
    /^the resolved (boolean|string|integer|float) (?:value|response) should be "?(.*?)"?$/,
    (world, [type = "", text = ""]) => sameValue(world, type, text)
  ],
  [
    /^the resolved \w+ details value should be "?(.*?)"?, the variant should be "(.*)", and the reason should be "(.*)"$/,
    (world, [text = "", variant, reason]) => {
      sameValue(world, world.question?.type ?? "", text)
      assert.deepInclude<object>(detailsOf(world), { variant, reason })
    }
  ],
  [
    /^the resolved object (?:details )?value should be contain fields "(.*)", "(.*)", and "(.*)", with values "(.*)", "(.*)" and (\d+), respectively$/,
    pictures
  ],
  [
    /^the variant should be "(.*)", and the reason should be "(.*)"$/,
    (world, [variant, reason]) => assert.deepInclude<object>(detailsOf(world), { variant, reason })
  ],
  [
    /^the resolved flag value is "(.*)" when the context is empty$/,
    async (world, [text = ""]) => {
      world.context = {}
      await evaluate(world)
      sameValue(world, "string", text)
    }
  ],
  [
    /^the default (?:string|integer) value should be returned$/,
    (world) => assert.deepStrictEqual<unknown>(detailsOf(world).value, world.question?.fallback)
  ],
  [
    /^the reason should indicate an error and the error code should indicate a (?:missing flag|type mismatch) with "(.*)"$/,
    (world, [errorCode]) => assert.deepInclude<object>(detailsOf(world), { reason: "ERROR", errorCode })
  ],
  [/^the reason should be "(\w+)"$/, (world, [reason]) => assert.strictEqual(detailsOf(world).reason, reason)],
  [/^the variant should be "([^"]*)"$/, (world, [variant]) => assert.strictEqual(detailsOf(world).variant, variant)],
  [
    /^the error-code should be "(.*)"$/,
    (world, [code]) => assert.strictEqual<string | undefined>(detailsOf(world).errorCode, code)
  ],
  [/^the flag key should be "(.*)"$/, (world, [key]) => assert.strictEqual(detailsOf(world).flagKey, key)],
  [/^the evaluation should complete without blocking$/, (world) => assert.isNotNull(world.details)]
]

const told: ReadonlyArray<Definition> = [
  [
    /^the resolved metadata should contain$/,
    (world, _, { rows }) => {
      for (const [key = "", type = "", text = ""] of rows.slice(1))
        assert.deepStrictEqual<unknown>(detailsOf(world).flagMetadata[key], valueOf(type.toLowerCase(), text))
    }
  ],
  [/^the resolved metadata is empty$/, (world) => assert.deepStrictEqual({ ...detailsOf(world).flagMetadata }, {})],
  [
    /^the provider status should be "(.*)"$/,
    async (world, [status]) => assert.strictEqual(await world.subject?.status(), status)
  ],
  [
    /^the "(.*)" hook should have been executed$/,
    (world, [stage]) => assert.isTrue(world.heard.some(([heard]) => heard === stage))
  ],
  [
    /^the "(.*)" hooks should be called with evaluation details$/,
    (world, [stages = ""], { rows }) => {
      for (const stage of stages.split(", ")) {
        const details = world.heard.find(([heard]) => heard === stage)?.[1] ?? null
        assert.isNotNull(details, stage)
        for (const [type = "", key = "", text = ""] of rows.slice(1)) {
          const value = details === null ? undefined : field(details, key)
          if (text === "null") assert.isTrue(isEmpty(value), key)
          else assert.deepStrictEqual<unknown>(value, valueOf(type, text), key)
        }
      }
    }
  ],
  [
    /^the specified hooks should execute during evaluation$/,
    (world) => assert.includeMembers(world.ordered, ["one before", "two before", "one after", "two after"])
  ],
  // Those of the options come last before the evaluation, and in the other order after it.
  [
    /^the hook order should be maintained$/,
    ({ ordered }) =>
      assert.deepStrictEqual(ordered, [
        "one before",
        "two before",
        "two after",
        "one after",
        "two finally",
        "one finally"
      ])
  ],
  [
    /^the original evaluation context should remain unmodified$/,
    (world) => assert.deepStrictEqual(world.context, { level: 3 })
  ],
  [
    /^the evaluation details should be immutable$/,
    (world) => assert.isTrue(Object.isFrozen(detailsOf(world).flagMetadata))
  ]
]

/** What the steps of the scenarios do and look at. */
export const steps: ReadonlyArray<Definition> = [...given, ...when, ...returned, ...told]
