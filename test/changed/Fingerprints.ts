import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Files, hashOf, isModule } from "./Files.ts"
import { modulesFrom } from "./Modules.ts"
import { declared, mayRead, pathsOf } from "./Reads.ts"

const contentOf = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "")

/** Names of environment variables that a test, Node or the packages may look at. */
const isKnob = (name: string): boolean =>
  /^(GAMEKEEPER_|NODE_|VITEST|LC_)|^(TZ|LANG|LANGUAGE|CI|TMPDIR|HOME|PATH)$/.test(name) && name !== "NODE_CHANNEL_FD"

/**
 * What every test depends on: Node, the machine, the packages as the lock has them and as they are installed, the knobs, and the day, since
 * values by chance and the clock are inputs too: on another day everything runs once.
 */
export const surroundings = (root: string, now: Date): string =>
  JSON.stringify([
    process.version,
    process.platform,
    process.arch,
    now.toISOString().slice(0, 10),
    Object.entries(process.env)
      .filter(([name]) => isKnob(name))
      .sort(),
    contentOf(join(root, "node_modules/.package-lock.json"))
  ])

const configuration = /^(package\.json|package-lock\.json|tsconfig\.json|vitest\.[\w.]*config\.ts)$/

const within = (paths: Iterable<string>, wanted: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...paths].filter((path) => wanted.some((each) => path === each || path.startsWith(`${each}/`)))

/** Modules that the configuration names, such as `setupFiles`: each test depends on them, as on the tool itself. */
const commonModules = ({ texts }: Files): ReadonlyArray<string> => {
  const configs = [...texts].filter(([path]) => configuration.test(path))
  const named = configs
    .flatMap(([, text]) => [...text.matchAll(/"([\w./-]+\.ts)"/g)].map(([, path = ""]) => path))
    .filter((path) => !path.endsWith(".test.ts"))
  return [...configs.map(([path]) => path), ...within(texts.keys(), ["test/changed", ...named])]
}

/**
 * One hash for each file of tests, of all that its result can depend on: the modules it reaches, what these say that they read, or the whole
 * repository where one may read files and does not say which, or where some module cannot be read.
 */
export const fingerprints = async (
  root: string,
  files: Files,
  tests: ReadonlyArray<string>,
  now: Date
): Promise<ReadonlyMap<string, string>> => {
  const paths = pathsOf(files)
  const common = commonModules(files)
  const readsOf = new Map(
    [...files.texts].flatMap(([path, text]) => {
      const names = declared(text)
      return names === undefined ? [] : [[path, within(files.hashes.keys(), names)] as const]
    })
  )
  const readModules = [...readsOf.values()].flat().filter(isModule)
  const around = surroundings(root, now)
  const imports = await modulesFrom(root, [...new Set([...tests, ...common, ...readModules])])
  if (imports === undefined) return new Map(tests.map((test) => [test, hashOf(around, files.all)]))

  const readers = new Set(
    [...imports.keys()].filter((path) => {
      const text = files.texts.get(path)
      return text !== undefined && !readsOf.has(path) && mayRead(path, text, paths)
    })
  )

  const reachedFrom = (entries: ReadonlyArray<string>, reads: ReadonlyMap<string, ReadonlyArray<string>>) => {
    const reached = new Set(entries)
    // A set is walked to its end, also over what is added meanwhile.
    for (const path of reached) {
      for (const next of [...(imports.get(path) ?? []), ...(reads.get(path) ?? [])]) reached.add(next)
    }
    return reached
  }

  // What the set-up reads, such as the sources of workers, it makes for those tests that import the same modules.
  const base = [
    ...reachedFrom(common, new Map()),
    ...within(files.hashes.keys(), ["package.json", "package-lock.json", "tsconfig.json"])
  ]
  return new Map(
    tests.map((test) => {
      const reached = reachedFrom([test], readsOf)
      const isReader = [...reached].some((path) => readers.has(path))
      const parts = [...new Set([...base, ...reached])]
        .sort()
        .map((path) => `${path} ${files.hashes.get(path) ?? contentOf(join(root, path))}`)
      return [test, hashOf(around, ...parts, ...(isReader ? [files.all] : []))]
    })
  )
}
