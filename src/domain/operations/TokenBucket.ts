/** How often one caller may come: so many requests at once, and so many more with each second. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** What is left of a rate for one caller; `at` is the instant (epoch ms) as of which `tokens` are there. */
export interface TokenBucket {
  tokens: number
  at: number
}

/** The bucket of a caller who comes for the first time. */
export const fullBucket = ({ burst }: Rate, now: number): TokenBucket => ({ tokens: burst, at: now })

/** Fills the bucket up to `now` and takes one token; false, and takes none, where there is less than one. */
export const takeToken = (bucket: TokenBucket, { burst, perSecond }: Rate, now: number): boolean => {
  const passed = Math.max(0, now - bucket.at)
  bucket.tokens = Math.min(burst, bucket.tokens + (passed * perSecond) / 1000)
  bucket.at = now
  if (bucket.tokens < 1) return false
  bucket.tokens -= 1
  return true
}

/** Where a caller stands, in the terms of the header fields `RateLimit-*`. */
export interface RateStanding {
  readonly limit: number
  readonly remaining: number
  /** Seconds until the whole limit is there again. */
  readonly resetSeconds: number
  /** Seconds until the next request is allowed; 0: this one is. */
  readonly retryAfterSeconds: number
}

/** Where the caller stands after `takeToken`, whose answer is `isAllowed`. */
export const standingOf = ({ tokens }: TokenBucket, { burst, perSecond }: Rate, isAllowed: boolean): RateStanding => ({
  limit: burst,
  remaining: Math.floor(tokens),
  resetSeconds: Math.ceil((burst - tokens) / perSecond),
  retryAfterSeconds: isAllowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / perSecond))
})
