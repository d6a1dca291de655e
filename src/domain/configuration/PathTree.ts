import type { Path } from "./Document.ts"

/** A set of paths as a tree, so that one walk over a document meets all of them. */
export interface PathTree {
  /** Whether a path of the set ends here. */
  readonly isEnd: boolean
  readonly children: ReadonlyMap<string, PathTree>
}

interface Growing extends PathTree {
  isEnd: boolean
  readonly children: Map<string, Growing>
}

const bare = (): Growing => ({ isEnd: false, children: new Map() })

/** The tree of the paths. */
export const pathTree = (paths: Iterable<Path>): PathTree => {
  const root = bare()
  for (const path of paths) {
    let node = root
    for (const key of path) {
      const next = node.children.get(key) ?? bare()
      node.children.set(key, next)
      node = next
    }
    node.isEnd = true
  }
  return root
}

/** The part of the tree that continues the path; undefined if no path of the set does. */
export const subtree = (tree: PathTree, path: Path): PathTree | undefined => {
  let node: PathTree | undefined = tree
  for (const key of path) node = node?.children.get(key)
  return node
}

/** Whether the set has the path, or one that leads to it. */
export const leadsTo = (tree: PathTree, path: Path): boolean => {
  let node: PathTree | undefined = tree
  for (const key of path) {
    if (node === undefined || node.isEnd) break
    node = node.children.get(key)
  }
  return node?.isEnd ?? false
}

/** The paths of the tree, each with `before` in front of it. */
export function* pathsIn({ isEnd, children }: PathTree, before: Path): Generator<Path> {
  if (isEnd) yield before
  for (const [key, child] of children) yield* pathsIn(child, [...before, key])
}
