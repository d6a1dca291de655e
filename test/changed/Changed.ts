import { filesIn, type Files } from "./Files.ts"
import { fingerprints } from "./Fingerprints.ts"
import { type Greens, readGreens, writeGreens } from "./Greens.ts"

export interface Runner {
  readonly root: string
  /** All files of tests. */
  readonly tests: ReadonlyArray<string>
  readonly isAll: boolean
  readonly now: () => Date
  readonly say: (line: string) => void
  /** Runs files of tests and tells which of them were green, and with which code it has ended. */
  readonly run: (
    tests: ReadonlyArray<string>
  ) => Promise<{ readonly green: ReadonlyArray<string>; readonly code: number }>
}

const mostNamed = 5

const changesSince = (hashes: Greens["hashes"], files: Files): ReadonlyArray<string> =>
  [...new Set([...hashes.keys(), ...files.hashes.keys()])].filter((path) => hashes.get(path) !== files.hashes.get(path))

const told = (paths: ReadonlyArray<string>): string =>
  paths.length <= mostNamed
    ? paths.join(", ")
    : `${paths.slice(0, mostNamed).join(", ")} and ${paths.length - mostNamed} more`

/**
 * Runs the files of tests whose fingerprint is not the one with which they were last green, or all. A file counts as not green from before it
 * runs until it was green with what lies there at the end as at the start. Returns the code to end with.
 */
export const runChanged = async ({ root, tests, isAll, now, say, run }: Runner): Promise<number> => {
  const files = filesIn(root)
  const before = await fingerprints(root, files, tests, now())
  const { green, hashes } = readGreens(root)
  const wanted = isAll ? tests : tests.filter((test) => green.get(test) !== before.get(test))

  const skipped = tests.length - wanted.length
  say(
    `${skipped} of ${tests.length} files of tests skipped: green today with all that they depend on as it is now (--all runs them).`
  )
  const changes = changesSince(hashes, files)
  const unknown = wanted.filter((test) => !green.has(test)).length
  if (wanted.length > 0 && !isAll) {
    say(
      `${wanted.length} run: ${unknown} were red, or not run yet, ${wanted.length - unknown} depend on what has changed.`
    )
    if (hashes.size > 0 && changes.length > 0) say(`Changed since the last run: ${told(changes)}`)
  }
  if (wanted.length === 0) return 0

  for (const test of wanted) green.delete(test)
  writeGreens(root, { green, hashes: files.hashes })
  const ended = await run(wanted)

  const afterwards = filesIn(root)
  const after = afterwards.all === files.all ? before : await fingerprints(root, afterwards, tests, now())
  const shown = readGreens(root)
  // A run that fails although all its files are green says nothing about any of them.
  const isTold = ended.code === 0 || wanted.some((test) => !ended.green.includes(test))
  for (const test of isTold ? ended.green : []) {
    const fingerprint = before.get(test)
    if (fingerprint !== undefined && fingerprint === after.get(test)) shown.green.set(test, fingerprint)
  }
  writeGreens(root, shown)
  return ended.code
}
