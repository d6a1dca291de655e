import { Effect, Layer } from "effect"
import { Notices } from "../services/game/Notices.ts"
import { LiveStreams } from "../services/live/LiveStreams.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

const beats = { first: "15 seconds", interval: "15 seconds" } as const
const seconds = { first: "1 second", interval: "1 second" } as const

/** A sign of life to all who listen, every 15 seconds, and what happens to the people among them, every second, until the scope closes. */
export const Heartbeats = Layer.scopedDiscard(
  Effect.gen(function* () {
    const notices = yield* Notices
    const streams = yield* LiveStreams
    yield* repeatAtIntervals("Heartbeats of games", beats, notices.beat())
    yield* repeatAtIntervals("Heartbeats of people", beats, streams.beat())
    yield* repeatAtIntervals("Live events", seconds, streams.tell())
  })
)
