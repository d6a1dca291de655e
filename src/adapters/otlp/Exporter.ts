import { Duration, Effect } from "effect"

/** Milliseconds that a collector gets to answer, and all that still waits gets when the server stops. */
const patience = { answerMillis: 10_000, endMillis: 1000 }

/** Seconds until a collector that failed is asked again; each failure doubles them. */
const again = { firstSeconds: 1, mostSeconds: 60 }

/** What a collector says of a batch. */
type Outcome =
  | { readonly kind: "taken" }
  /** Nothing of it, and it never will. */
  | { readonly kind: "refused"; readonly reason: string }
  /** It may be asked again. */
  | { readonly kind: "later"; readonly reason: string }

export interface ExporterOptions<Item> {
  /** What is sent, as a line of the log begins with it. */
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Items that may wait, and those that are sent at once. */
  readonly most: number
  readonly perBatch: number
  readonly every: Duration.DurationInput
  readonly encode: (items: ReadonlyArray<Item>) => unknown
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "no connection"
}

/** Statuses for which OTLP has a batch sent again. */
const mayComeAgain: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

const outcomeOf = (status: number): Outcome => {
  if (status >= 200 && status < 300) return { kind: "taken" }
  return { kind: mayComeAgain.has(status) ? "later" : "refused", reason: `status ${status}` }
}

const post = (url: string, headers: Readonly<Record<string, string>>, body: string): Effect.Effect<Outcome> =>
  Effect.tryPromise({
    try: (signal) =>
      fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json", "user-agent": "Gamekeeper" },
        body,
        redirect: "manual",
        signal
      }).then((response) => response.arrayBuffer().then(() => outcomeOf(response.status))),
    catch: reasonOf
  }).pipe(
    Effect.catchAll((reason) => Effect.succeed<Outcome>({ kind: "later", reason })),
    Effect.timeoutTo({
      duration: patience.answerMillis,
      onSuccess: (outcome) => outcome,
      onTimeout: (): Outcome => ({ kind: "later", reason: `no answer within ${patience.answerMillis / 1000} s` })
    })
  )

/**
 * Sends items to a collector by OTLP over HTTP, in JSON, one batch after the other until the scope closes. `push` neither waits nor fails: what
 * finds no room is dropped. A collector that is down or slow is told once in the log, and asked again ever more seldom.
 */
export const makeExporter = Effect.fnUntraced(function* <Item>(options: ExporterOptions<Item>) {
  const { name, url, headers, most, perBatch, every, encode } = options
  const full = yield* Effect.makeLatch(false)
  const waiting: Array<Item> = []
  let dropped = 0
  let failures = 0

  const tellFailure = (reason: string) => {
    failures += 1
    return failures > 1
      ? Effect.void
      : Effect.logWarning(
          `${name} cannot be sent to ${url} (${reason}): at most ${most} wait, further ones are dropped`
        )
  }

  const tellSuccess = Effect.suspend(() => {
    if (failures === 0) return Effect.void
    const told = `${name} are sent again; ${dropped} were dropped`
    failures = 0
    dropped = 0
    return Effect.logInfo(told)
  })

  const flush: Effect.Effect<void> = Effect.suspend(() => {
    const batch = waiting.slice(0, perBatch)
    if (batch.length === 0) return Effect.void
    return Effect.flatMap(post(url, headers, JSON.stringify(encode(batch))), (outcome) => {
      if (outcome.kind === "later") return tellFailure(outcome.reason)
      waiting.splice(0, batch.length)
      if (outcome.kind === "taken") return Effect.zipRight(tellSuccess, flush)
      dropped += batch.length
      return tellFailure(outcome.reason)
    })
  })

  const rest = Effect.suspend(() =>
    failures === 0
      ? Effect.raceFirst(full.await, Effect.sleep(every))
      : Effect.sleep(Duration.seconds(Math.min(again.firstSeconds * 2 ** (failures - 1), again.mostSeconds)))
  )

  const untraced = Effect.withTracerEnabled(flush, false)
  yield* Effect.addFinalizer(() =>
    failures === 0 ? Effect.ignore(Effect.timeout(Effect.interruptible(untraced), patience.endMillis)) : Effect.void
  )
  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Effect.zipRight(rest, full.close), untraced)))

  const push = (item: Item): void => {
    if (waiting.length >= most) {
      dropped += 1
      return
    }
    waiting.push(item)
    if (waiting.length >= perBatch) full.unsafeOpen()
  }
  return { push } as const
})
