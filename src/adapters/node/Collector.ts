import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** V8's own function that collects what a thread no longer needs. V8 gives it only to contexts that are made while a flag is set. */
export const collectorOfThread = (): (() => void) => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  setFlagsFromString("--no-expose-gc")
  return () => {
    if (typeof collect === "function") Reflect.apply(collect, undefined, [])
  }
}
