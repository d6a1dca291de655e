import { readFileSync, writeFileSync } from "node:fs"

const field = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) /
  1024

/** Memory of a process in MiB that is not swapped out. */
export const residentMb = (pid: number): number => field(pid, "VmRSS")

/** The most that `residentMb` ever was, or since `forgetPeak`. */
export const peakMb = (pid: number): number => field(pid, "VmHWM")

/** From now on `peakMb` begins anew. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, "5")
