import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/**
 * V8's own function that collects what a thread no longer needs. V8 gives it only to contexts that are made while a flag is set, and the flag
 * is one for all threads of the process. So it stays set: a thread that took it back could do so between the two steps of another, which then
 * had no function and ended. Another thread of V8's frees the arrays that are found, and until V8 collects again, they count as held. A
 * collection of the young objects, which takes a fraction of a millisecond, waits for their end.
 */
export const collectorOfThread = (): (() => void) => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("globalThis.gc")
  return () => {
    if (typeof collect !== "function") return
    Reflect.apply(collect, undefined, [])
    Reflect.apply(collect, undefined, [{ type: "minor" }])
  }
}
