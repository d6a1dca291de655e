import { Effect } from "effect"
import type { TrafficKind } from "../../../schema/Traffic.ts"
import { guesserOf, networkOf } from "../../domain/operations/Network.ts"
import type { Rate, RateStanding, TokenBucket } from "../../domain/operations/TokenBucket.ts"
import { fullBucket, standingOf, takeToken } from "../../domain/operations/TokenBucket.ts"
import { LruCache, mebibyte } from "../../domain/LruCache.ts"
import { Peers } from "../../ports/operations/Peers.ts"
import { Settings } from "../../ports/operations/Settings.ts"

/** Who sends a request: the key or token that it presents, and the address. */
export interface Caller {
  readonly key: string | undefined
  readonly address: string
}

/** Seconds whose requests may come at once: a class of players starts the game together. */
const burstSeconds = 10

const rateOf = (perSecond: number): Rate => ({ perSecond, burst: perSecond * burstSeconds })

const bucketBytes = 48

/** The buckets of one rate, by caller. Whoever has not come for long is forgotten, and begins with a full one. */
const bucketsOf = (present: () => Rate) => {
  const buckets = new LruCache<TokenBucket>(4 * mebibyte, () => bucketBytes)
  return (caller: string, now: number): RateStanding => {
    const rate = present()
    let bucket = buckets.get(caller)
    if (bucket === undefined) {
      bucket = fullBucket(rate, now)
      buckets.set(caller, bucket)
    }
    return standingOf(bucket, rate, takeToken(bucket, rate, now))
  }
}

type Take = ReturnType<typeof bucketsOf>

/** What one kind of requests is counted by. */
interface Counted {
  readonly byKey?: Take
  readonly byNetwork?: Take
  /** By the network of public addresses, and by any other address itself. */
  readonly byAddress?: Take
}

const tighter = (one: RateStanding | undefined, other: RateStanding | undefined): RateStanding | undefined =>
  one === undefined || (other !== undefined && other.remaining < one.remaining) ? other : one

/** Counts what is open by caller. */
class OpenCounts {
  private readonly counts = new Map<string, number>()

  of(caller: string): number {
    return this.counts.get(caller) ?? 0
  }

  add(caller: string, by: 1 | -1): void {
    const count = this.of(caller) + by
    if (count > 0) this.counts.set(caller, count)
    else this.counts.delete(caller)
  }
}

/** How often one caller may ask, and how many streams and connections it may keep open. A restart forgets all counts. */
export class RequestLimits extends Effect.Service<RequestLimits>()("services/operations/RequestLimits", {
  effect: Effect.gen(function* () {
    const {
      rateLimits: isOn,
      trustProxy,
      pollLimit,
      evaluateLimit,
      ingestLimit,
      streamLimit,
      connectionLimit
    } = yield* Settings
    const peers = yield* Peers

    const counted = ({ perKey, perAddress }: { readonly perKey: number; readonly perAddress: number }): Counted => ({
      byKey: bucketsOf(() => rateOf(perKey)),
      byNetwork: bucketsOf(() => rateOf(perAddress))
    })
    /** What all processes together let one caller do, in equal parts: limits against guessers and floods, which no setting widens. */
    const shared =
      ({ burst, perSecond }: Rate) =>
      (): Rate => ({ burst: Math.max(1, Math.floor(burst / peers.live())), perSecond: perSecond / peers.live() })
    const polls = counted(pollLimit)
    const kinds: Readonly<Record<TrafficKind, Counted>> = {
      vital: {},
      people: {},
      poll: polls,
      stream: polls,
      evaluate: counted(evaluateLimit),
      ingest: counted(ingestLimit),
      // Each sign-up and sign-in costs a slow hash.
      entry: { byAddress: bucketsOf(shared({ burst: 120, perSecond: 2 })) },
      // Behind one address a school or a mobile network may stand.
      link: { byNetwork: bucketsOf(shared({ burst: 6000, perSecond: 100 })) }
    }

    /** Counts a request; undefined where nothing limits it. A refused one by address is not counted by its key, which others share. */
    const take = (kind: TrafficKind, { key, address }: Caller, now: number): RateStanding | undefined => {
      const { byKey, byNetwork, byAddress } = kinds[kind]
      const network = byNetwork === undefined ? undefined : networkOf(address)
      const ofAddress =
        byAddress?.(guesserOf(address), now) ?? (network === undefined ? undefined : byNetwork?.(network, now))
      if (ofAddress !== undefined && ofAddress.retryAfterSeconds > 0) return ofAddress
      return tighter(key === undefined ? undefined : byKey?.(key, now), ofAddress)
    }

    const streamsOfKeys = new OpenCounts()
    const streamsOfNetworks = new OpenCounts()

    /** Whether a caller has as many streams open as it may. */
    const isFull = ({ key, address }: Caller): boolean => {
      const network = networkOf(address)
      return (
        isOn &&
        ((key !== undefined && streamsOfKeys.of(key) >= streamLimit.perKey) ||
          (network !== undefined && streamsOfNetworks.of(network) >= streamLimit.perAddress))
      )
    }

    /** Counts an open stream until the function that it returns is called. */
    const hold = ({ key, address }: Caller): (() => void) => {
      const network = networkOf(address)
      const count = (by: 1 | -1) => {
        if (key !== undefined) streamsOfKeys.add(key, by)
        if (network !== undefined) streamsOfNetworks.add(network, by)
      }
      count(1)
      return () => count(-1)
    }

    const connections = new OpenCounts()

    /**
     * Counts an open connection until the function that it returns is called; undefined where its address has as many as it may. Those of a
     * proxy that says who calls are not counted.
     */
    const connect = (address: string): (() => void) | undefined => {
      const network = isOn && !trustProxy ? networkOf(address) : undefined
      if (network === undefined) return () => undefined
      if (connections.of(network) >= connectionLimit) return undefined
      connections.add(network, 1)
      return () => connections.add(network, -1)
    }

    return { isOn, trustProxy, take, isFull, hold, connect } as const
  })
}) {}
