import { Worker, type WorkerOptions } from "node:worker_threads"

/**
 * Starts a thread. Answers why it could not be started where Node throws that at once, as it does while the system allows this user or
 * container no further thread; what goes wrong later comes as the thread's own event `error`.
 */
export const workerOf = (script: string, options: WorkerOptions): Worker | string => {
  try {
    return new Worker(script, options)
  } catch (cause) {
    return String(cause)
  }
}
