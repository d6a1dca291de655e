import { assert, beforeAll, beforeEach, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { MemoryStores } from "../../src/app/Layers.ts"
import { apply } from "../../src/remote/Apply.ts"
import { plan } from "../../src/remote/Plan.ts"
import type { ComparisonRequest } from "../../src/remote/ServerState.ts"
import { mintPersonalToken, openStudio, type Studio } from "../support/access/Studio.ts"
import { type Before, remoteOver, writeJson } from "../support/configuration/RemoteFiles.ts"
import { withFolder } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

describe("the alias of a configuration as code", () => {
  const { request } = testApp(MemoryStores)
  let token: string

  beforeAll(async () => {
    const permissions = ["organization:read", "projects:read", "configurations:read", "configurations:write"]
    const more = ["cohorts:read", "analytics:read", "experiments:read", "roles:read"]
    token = await mintPersonalToken(request, await openStudio(request, "ada"), {
      permissions: [...permissions, ...more]
    })
  })

  it("is what its file says, and none where the file says none", () =>
    withFolder(async (folder) => {
      const { run, asked } = remoteOver(request, token)
      const say = async (content: object) => {
        writeJson(folder, "configurations/shop.json", { name: "Shop", configuration: {}, ...content })
        await run(apply(asked(folder)))
        return (await run(plan(asked(folder)))).report.changes
      }
      assert.deepStrictEqual(await say({ alias: "till" }), [])
      assert.deepStrictEqual(await say({}), [])
    }))
})

const permissions = ["organization:read", "projects:read", "configurations:read", "configurations:write"]

interface File {
  readonly name: string
  readonly alias?: string
  readonly configuration: object
}

const link = (configuration: string) => ({ gems: { $link: { configuration, path: ["gems"] } } })

const plain = (name: string, alias?: string): File => ({
  name,
  configuration: { gems: 1 },
  ...(alias === undefined ? {} : { alias })
})

/** What the folder holds before and after, the steps of the plan, and what then answers to which alias. */
interface Case {
  readonly title: string
  readonly before: ReadonlyArray<File>
  readonly after: ReadonlyArray<File>
  readonly steps: ReadonlyArray<string>
  readonly aliases: Record<string, string>
}

const cases: ReadonlyArray<Case> = [
  {
    title: "is kept by one that is renamed",
    before: [plain("Shop", "till")],
    after: [plain("Store", "till")],
    steps: ["change Shop", "add Store", "remove Shop"],
    aliases: { till: "Store" }
  },
  {
    title: "is kept by one that is renamed together with the links to it",
    before: [plain("Shop", "till"), { name: "Home", configuration: link("Shop") }],
    after: [plain("Store", "till"), { name: "Home", configuration: link("Store") }],
    steps: ["change Shop", "add Store", "change Home", "remove Shop"],
    aliases: { till: "Store" }
  },
  {
    title: "is the name that one had which is renamed",
    before: [plain("till"), { name: "Home", configuration: link("till") }],
    after: [plain("Store", "till"), { name: "Home", configuration: link("Store") }],
    steps: ["change till", "add Store", "change Home", "remove till"],
    aliases: { till: "Store" }
  },
  {
    title: "is the name of a new one",
    before: [plain("Shop", "till")],
    after: [plain("till", "counter"), plain("Shop", "shop")],
    steps: ["change Shop", "add till"],
    aliases: { counter: "till", shop: "Shop" }
  },
  {
    title: "goes over to another one, which is written before",
    before: [plain("A", "one"), plain("B", "two")],
    after: [plain("A", "two"), plain("B")],
    steps: ["change B", "change A"],
    aliases: { two: "A" }
  },
  {
    title: "goes over to another one, which is written afterwards",
    before: [plain("A", "one"), plain("B", "two")],
    after: [plain("A", "three"), plain("B", "one")],
    steps: ["change A", "change B"],
    aliases: { one: "B", three: "A" }
  },
  {
    title: "is exchanged",
    before: [plain("A", "one"), plain("B", "two")],
    after: [plain("A", "two"), plain("B", "one")],
    steps: ["change B", "change A", "change B"],
    aliases: { one: "B", two: "A" }
  }
]

describe("an alias that configurations as code pass on", () => {
  const { request } = testApp(MemoryStores)
  let count = 0
  let studio: Studio
  let token: string

  beforeEach(async () => {
    studio = await openStudio(request, `passing${count++}`)
    token = await mintPersonalToken(request, studio, { permissions })
  })

  const aliases = async () => {
    const headers = { ...studio.cookie, environment_id: String(studio.production) }
    const { body } = await request("GET", `/application/${studio.applicationId}/v2/configurations`, { headers })
    const named = body.flatMap(({ name, alias }: File) => (alias === null ? [] : [[alias, name]]))
    return Object.fromEntries(named)
  }

  /** The folder as it is after, whose state before has been applied. */
  const passing = (
    { before, after }: Pick<Case, "before" | "after">,
    test: (world: ReturnType<typeof remoteOver> & { readonly mine: ComparisonRequest }) => Promise<void>,
    hindrance: Before = () => Promise.resolve()
  ) =>
    withFolder(async (folder) => {
      const world = remoteOver(request, token, hindrance)
      const mine = { ...world.asked(folder), kinds: ["configurations"] as const, prune: true }
      for (const file of before) writeJson(folder, `configurations/${file.name}.json`, file)
      await world.run(apply(mine))
      for (const { name } of before) rmSync(join(folder, `configurations/${name}.json`))
      for (const file of after) writeJson(folder, `configurations/${file.name}.json`, file)
      await test({ ...world, mine })
    })

  it.each(cases)("$title", ({ before, after, steps, aliases: expected }) =>
    passing({ before, after }, async ({ run, mine }) => {
      const { report } = await run(plan(mine))
      assert.deepStrictEqual(
        report.changes.map(({ action, name }) => `${action} ${name}`),
        steps
      )
      assert.strictEqual(await run(apply(mine)), steps.length)
      assert.strictEqual(await run(apply(mine)), 0)
      assert.deepStrictEqual(await aliases(), expected)
    })
  )

  it.each(cases.slice(0, 3))("$title, where the first try is cut off", ({ before, after, aliases: expected }) => {
    let isCut = false
    const cut: Before = (method) => {
      if (!isCut || method !== "POST") return Promise.resolve()
      isCut = false
      return Promise.reject(new Error("cut off"))
    }
    return passing(
      { before, after },
      async ({ run, mine }) => {
        isCut = true
        assert.isTrue(Exit.isFailure(await run(Effect.exit(apply(mine)))))
        assert.isAbove(await run(apply(mine)), 0)
        assert.strictEqual(await run(apply(mine)), 0)
        assert.deepStrictEqual(await aliases(), expected)
      },
      cut
    )
  })

  it.each([
    ["stays without --prune", [plain("Shop", "till")], [plain("Store", "till")], false],
    ["is wanted by two files", [plain("Shop", "till")], [plain("Shop", "till"), plain("Store", "till")], true]
  ] as const)("is taken where the one that has it %s", (_, before, after, prune) =>
    passing({ before, after }, async ({ run, mine }) => {
      const refusal = await run(Effect.flip(plan({ ...mine, prune })))
      assert.include(refusal.message, "Shop answers to till already")
      assert.deepStrictEqual(await aliases(), { till: "Shop" })
    })
  )
})
