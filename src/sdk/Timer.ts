export type Timer = ReturnType<typeof setTimeout>

/** Timers wait for 24.8 days at most, and for nothing where they are to wait for longer, as for `Infinity`. */
const longestMillis = 2 ** 31 - 1

const waitable = (millis: number): number => (millis < longestMillis ? millis : longestMillis)

/** A timer that does not keep a process alive that has nothing else to do. */
export const unheld = (work: () => void, millis: number): Timer => {
  const timer: Timer | number = setTimeout(work, waitable(millis))
  if (typeof timer === "object") timer.unref()
  return timer
}

export const pause = (millis: number): Promise<void> => new Promise((done) => void unheld(done, millis))

/** Ends with the work, or after so long without it. Until then the process is kept alive: somebody waits for this. */
export const within = (work: Promise<void>, millis: number): Promise<void> =>
  new Promise((done, failed) => {
    const timer = setTimeout(done, waitable(millis))
    void work.then(done, failed).finally(() => clearTimeout(timer))
  })
