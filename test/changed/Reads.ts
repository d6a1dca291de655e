import { posix } from "node:path"
import type { Files } from "./Files.ts"

/** Functions of node:fs that only write or make folders; any other may read a file of the repository. */
const writers = /^(mkdtemp|mkdir|rm|rmdir|unlink|writeFile|appendFile|truncate|utimes|chmod)(Sync)?$/

const importsOf = (text: string): string =>
  text.replaceAll(/\b(?:from|import)\s*"[^"]*"|\bimport\(\s*"[^"]*"\s*\)/g, "")

const namesIn = (list: string): ReadonlyArray<string> =>
  list.split(",").flatMap(
    (name) =>
      name
        .trim()
        .replace(/^type /, "")
        .split(" ")[0] || []
  )

const readsFiles = (text: string): boolean =>
  [...text.matchAll(/import\s+(?!type\b)([^"]*?)\s+from\s*"(?:node:)?fs(?:\/promises)?"/g)].some(
    ([, imported = ""]) =>
      !imported.startsWith("{") || !namesIn(imported.slice(1, -1)).every((name) => writers.test(name))
  )

/** Whether the module can know where it, or the process, lies: who does not cannot name a file of the repository. */
const knowsPlace = (text: string): boolean =>
  /import\.meta\.(dirname|filename|url|resolve|glob)|process\.cwd|createRequire|\bimport\((?!\s*")/.test(text)

const startsOthers = (text: string): boolean =>
  /(from|import|require\()\s*"(node:)?(child_process|worker_threads|cluster)"/.test(text)

const usesPlatformFiles = (text: string): boolean => /\bFileSystem\b|toMatchSnapshot|toMatchFileSnapshot/.test(text)

const isBuilt = (text: string): boolean => /"gamekeeper[/"]/.test(text)

/** Whether a text in the module is the path of a file or folder of the repository, from its root or from the module. */
const namesPath = (path: string, text: string, paths: ReadonlySet<string>): boolean => {
  const joins = /\b(join|resolve)\(/.test(text)
  return [...importsOf(text).matchAll(/["'`]([\w.@/ -]+)["'`/]/g)].some(([, found = ""]) => {
    const trimmed = found.replace(/\/$/, "")
    if (!trimmed.includes("/") && !joins && !found.endsWith("/")) return false
    if (trimmed === "" || /^[./]+$/.test(trimmed)) return false
    return paths.has(posix.normalize(trimmed)) || paths.has(posix.join(posix.dirname(path), trimmed))
  })
}

/** Files and folders of the repository. */
export const pathsOf = (files: Files): ReadonlySet<string> => {
  const paths = new Set<string>()
  for (const path of files.hashes.keys()) for (let at = path; at !== "."; at = posix.dirname(at)) paths.add(at)
  return paths
}

/** What a module declares to read, in a line such as `// reads: data/vectors`. */
export const declared = (text: string): ReadonlyArray<string> | undefined =>
  /^\/\/ reads: (.*)$/m
    .exec(text)?.[1]
    ?.split(" ")
    .filter((path) => path !== "")

/**
 * Whether the module may read files of the repository while it runs. Sources of the product get paths from whoever calls them, unless they
 * know where they lie; tests may do so in any way.
 */
export const mayRead = (path: string, text: string, paths: ReadonlySet<string>): boolean =>
  knowsPlace(text) ||
  (path.startsWith("test/") &&
    (readsFiles(text) ||
      startsOthers(text) ||
      usesPlatformFiles(text) ||
      isBuilt(text) ||
      namesPath(path, text, paths)))
