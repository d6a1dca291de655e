import { Terminal } from "@effect/platform"
import { Clock, Effect, Ref } from "effect"

const width = 30

const draw = (share: number) => {
  const full = Math.round(width * Math.min(1, share))
  return `[${"#".repeat(full)}${"-".repeat(width - full)}] ${Math.floor(share * 100)} %`
}

/** A line of progress on standard error, redrawn at most ten times a second; of `size` bytes where that is known. */
export const progressBar = Effect.fnUntraced(function* (size: number | undefined) {
  const terminal = yield* Terminal.Terminal
  const columns = yield* terminal.columns
  const last = yield* Ref.make(0)
  const isTerminal = columns > 0
  const write = (text: string) => Effect.sync(() => process.stderr.write(text))
  const show = Effect.fnUntraced(function* (bytes: number, records: number) {
    const now = yield* Clock.currentTimeMillis
    if (!isTerminal || now - (yield* Ref.get(last)) < 100) return
    yield* Ref.set(last, now)
    const share = size === undefined || size === 0 ? "" : `${draw(bytes / size)} `
    yield* write(`\r${share}${records} records`)
  })
  return { show, finish: isTerminal ? write("\r\u001b[K") : Effect.void }
})
