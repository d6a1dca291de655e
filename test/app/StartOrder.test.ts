// reads: src schema
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { root } from "../support/Server.ts"

/** What a file imports as it is evaluated; types are gone by then, and `import()` loads later. */
const importsOf = (path: string): ReadonlyArray<string> =>
  [...readFileSync(join(root, path), "utf8").matchAll(/^(?:import|export)(?! type )[^"]*? from "(\.[^"]+)"/gms)].map(
    ([, specifier = ""]) => relative(root, resolve(root, dirname(path), specifier))
  )

const reachedFrom = (path: string, reached = new Set<string>()): Set<string> => {
  if (reached.has(path)) return reached
  reached.add(path)
  for (const target of importsOf(path)) reachedFrom(target, reached)
  return reached
}

it("until the event file is being opened, a start loads nothing that answers requests, and no stand-in of a store", () => {
  const reached = [...reachedFrom("src/app/Serve.ts")]
  assert.include(reached, "src/app/stores/FolderStores.ts")
  const early = reached.filter((path) =>
    /^src\/(http|jobs|adapters\/memory)\/|^src\/app\/(Http|Services)\.ts$/.test(path)
  )
  assert.deepStrictEqual(early, [])
})
