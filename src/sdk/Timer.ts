export type Timer = ReturnType<typeof setTimeout>

/** A timer that does not keep a process alive that has nothing else to do. */
export const unheld = (work: () => void, millis: number): Timer => {
  const timer: Timer | number = setTimeout(work, millis)
  if (typeof timer === "object") timer.unref()
  return timer
}
