/**
 * Does what only makes later work faster or safer. A disk that does not take it, or cannot be read, must not end the thread: the next commit
 * meets the same failure, and answers it.
 */
export const unheard = (work: () => void): void => {
  try {
    work()
  } catch {
    return
  }
}
