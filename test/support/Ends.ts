type End = () => Promise<unknown> | void

const ends: Array<End> = []

/**
 * Closes something once the tests of the file have ended. A hook that is asked for while a test or another hook runs is forgotten by vitest,
 * and what it should have closed lives on in its worker beside the tests of all later files.
 */
export const atEndOfFile = (end: End): void => void ends.push(end)

/** What was opened last is closed first, because it may need what was opened before it. */
export const endAll = async (): Promise<void> => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end()
}
