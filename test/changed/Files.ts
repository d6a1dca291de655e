import { createHash } from "node:crypto"
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join, posix } from "node:path"

/** What follows from the sources and the lock, since `npm run test:fast` installs and builds before it looks, and what tools leave behind. */
const isLeftOut = (name: string, folder: string): boolean =>
  ["node_modules", ".git"].includes(name) ||
  (folder === "" && (["dist", "package", "pictures"].includes(name) || name.startsWith(".tsbuildinfo")))

/** Folders beside which `.gitignore` ignores everything: a server that is tried here writes its files there. */
const keptIn = (root: string): ReadonlyArray<string> =>
  existsSync(join(root, ".gitignore"))
    ? [...readFileSync(join(root, ".gitignore"), "utf8").matchAll(/^!(.+)\/$/gm)].map(([, path = ""]) => path)
    : []

export const hashOf = (...parts: ReadonlyArray<string | Buffer>): string => {
  const hash = createHash("sha256")
  for (const part of parts) hash.update(String(part.length)).update(":").update(part)
  return hash.digest("base64url").slice(0, 22)
}

/** Paths below `root`, with slashes, of all that the repository holds. */
const pathsIn = (root: string, kept: ReadonlyArray<string>, folder = ""): ReadonlyArray<string> =>
  readdirSync(join(root, folder)).flatMap((name) => {
    const path = folder === "" ? name : `${folder}/${name}`
    const hasKept = kept.some((each) => posix.dirname(each) === folder)
    if (isLeftOut(name, folder) || (hasKept && !kept.includes(path))) return []
    const found = lstatSync(join(root, path))
    if (found.isDirectory()) return pathsIn(root, kept, path)
    return found.isFile() || (found.isSymbolicLink() && isFile(join(root, path))) ? [path] : []
  })

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

export const isModule = (path: string): boolean => /\.(ts|tsx|mts|js|jsx|mjs|cjs)$/.test(path)

export interface Files {
  readonly hashes: ReadonlyMap<string, string>
  /** What modules say. */
  readonly texts: ReadonlyMap<string, string>
  /** Changes when any file does. */
  readonly all: string
}

export const filesIn = (root: string): Files => {
  const hashes = new Map<string, string>()
  const texts = new Map<string, string>()
  for (const path of pathsIn(root, keptIn(root))) {
    const bytes = readFileSync(join(root, path))
    hashes.set(path, hashOf(bytes))
    if (isModule(path)) texts.set(path, bytes.toString())
  }
  return { hashes, texts, all: hashOf(JSON.stringify([...hashes].sort())) }
}
