import { Effect, Layer } from "effect"
import { Demo } from "../services/demo/Demo.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

/** The players of the demo studio play on, every two seconds until the scope closes. */
export const DemoJob = Layer.scopedDiscard(
  Effect.flatMap(Demo, (demo) =>
    repeatAtIntervals("The demo studio", { first: "1 second", interval: "2 seconds" }, demo.goOn())
  )
)
