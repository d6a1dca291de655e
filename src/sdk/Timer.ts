export type Timer = ReturnType<typeof setTimeout>

/** A timer that does not keep a process alive that has nothing else to do. */
export const unheld = (work: () => void, millis: number): Timer => {
  const timer: Timer | number = setTimeout(work, millis)
  if (typeof timer === "object") timer.unref()
  return timer
}

export const pause = (millis: number): Promise<void> => new Promise((done) => void unheld(done, millis))

/** Ends with the work, or after so long without it. Until then the process is kept alive: somebody waits for this. */
export const within = (work: Promise<void>, millis: number): Promise<void> =>
  new Promise((done, failed) => {
    const timer = setTimeout(done, millis)
    void work.then(done, failed).finally(() => clearTimeout(timer))
  })
