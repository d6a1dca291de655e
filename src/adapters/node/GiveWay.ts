import { getPriority, platform, setPriority } from "node:os"

/** Of 40 levels: a thread with five less gets a quarter of a core that another one wants as well. */
const levels = 5
const leastPriority = 19

/**
 * Lets the threads that games wait for go first where there are fewer cores than threads with work: called by a worker for itself. Linux
 * alone has a priority for each thread; elsewhere, or where the system does not allow it, nothing changes.
 */
export const giveWay = (): void => {
  if (platform() !== "linux") return
  try {
    setPriority(0, Math.min(leastPriority, getPriority(0) + levels))
  } catch {
    return
  }
}
