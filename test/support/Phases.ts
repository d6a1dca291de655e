import { Context, Effect, Layer } from "effect"
import { turn } from "./analytics/Analyst.ts"
import type { Stores } from "./TestApp.ts"

/**
 * Stores of which every call is a phase of the request that makes it. `halt` lets the call of that number wait until `release`;
 * calls count from 0 since then.
 */
export const phased = (store: Stores) => {
  let calls: Array<string> | null = null
  let halted = -1
  let isHalted = false
  let go = () => {}
  let underWay = 0

  const phase = (name: string) =>
    Effect.suspend(() => {
      if (calls === null || calls.push(name) - 1 !== halted) return Effect.void
      return Effect.async<void>((resume) => {
        isHalted = true
        go = () => resume(Effect.void)
      })
    })

  const around = <A, E, R>(name: string, call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.sync(() => underWay++),
      () => Effect.zipRight(phase(name), call),
      () => Effect.sync(() => underWay--)
    )

  const watched = <Service extends object>(port: string, service: Service): Service =>
    new Proxy(service, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target)
        const name = `${port}.${String(key)}`
        if (Effect.isEffect(value)) return around(name, value)
        if (typeof value !== "function") return value
        return (...given: ReadonlyArray<unknown>) => {
          const result: unknown = Reflect.apply(value, target, given)
          return Effect.isEffect(result) ? around(name, result) : result
        }
      }
    })

  const watchedAll = <R>(context: Context.Context<R>): Context.Context<R> =>
    Context.unsafeMake(
      new Map([...context.unsafeMap].map(([key, service]) => [key, watched(key.replace(/^.*\//, ""), service)]))
    )

  /** Comes back once nothing has happened in the stores for a while. */
  const quiet = async () => {
    for (let calm = 0; calm < 20; calm = underWay === 0 ? calm + 1 : 0) await turn()
  }

  return {
    stores: Layer.map(store, watchedAll),
    halt: (phase: number) => {
      calls = []
      halted = phase
      isHalted = false
    },
    isHalted: () => isHalted,
    /** Lets the halted call go on and waits until all is done. */
    release: async () => {
      go()
      go = () => {}
      await quiet()
      const made = calls ?? []
      calls = null
      return made
    }
  }
}
