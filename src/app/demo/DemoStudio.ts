import { HttpServer } from "@effect/platform"
import { Console, Effect, Layer } from "effect"
import { isThisMachine } from "../../domain/access/Loopback.ts"
import { entrancePath } from "../../http/demo/DemoEntrance.ts"
import { isEveryAddress, reachableAddress } from "../Addresses.ts"
import { Attribution } from "../../services/deeplinks/Attribution.ts"
import { Clicks } from "../../services/deeplinks/Clicks.ts"
import { Demo } from "../../services/demo/Demo.ts"
import { DemoClicks } from "../../services/demo/DemoClicks.ts"
import { DemoCohorts } from "../../services/demo/DemoCohorts.ts"
import { DemoConfigurations } from "../../services/demo/DemoConfigurations.ts"
import { DemoDeeplinks } from "../../services/demo/DemoDeeplinks.ts"
import { DemoDescriptions } from "../../services/demo/DemoDescriptions.ts"
import { DemoEnrolment } from "../../services/demo/DemoEnrolment.ts"
import { DemoEntrance, openMinutes } from "../../services/demo/DemoEntrance.ts"
import { DemoExperiments } from "../../services/demo/DemoExperiments.ts"
import { DemoLive } from "../../services/demo/DemoLive.ts"
import { DemoMarkers } from "../../services/demo/DemoMarkers.ts"
import { DemoQuestions } from "../../services/demo/DemoQuestions.ts"
import { DemoStudio } from "../../services/demo/DemoStudio.ts"
import { DemoWrites } from "../../services/demo/DemoWrites.ts"
import { RunningExperiments } from "../../services/experiments/RunningExperiments.ts"
import { ContextProperties } from "../../services/game/ContextProperties.ts"
import { Enrolment } from "../../services/game/Enrolment.ts"
import { Evaluation } from "../../services/game/Evaluation.ts"
import { Operators } from "../../services/operations/Operators.ts"
import { Services } from "../Services.ts"

const Markers = DemoMarkers.Default.pipe(
  Layer.provide(DemoClicks.Default),
  Layer.provide(DemoEnrolment.Default),
  Layer.provide(DemoLive.Default),
  Layer.provide(DemoWrites.Default),
  Layer.provide(Evaluation.Default),
  Layer.provide(Enrolment.Default),
  Layer.provide(ContextProperties.Default),
  Layer.provide(RunningExperiments.Default),
  Layer.provide(Attribution.Default),
  Layer.provide(Clicks.Default)
)

/** The demo studio with everything that it is played through. */
export const DemoServices = Layer.merge(Demo.Default, DemoEntrance.Default).pipe(
  Layer.provide(
    Layer.mergeAll(
      DemoCohorts.Default,
      DemoConfigurations.Default,
      DemoDeeplinks.Default,
      DemoDescriptions.Default,
      DemoExperiments.Default,
      DemoQuestions.Default,
      DemoStudio.Default.pipe(Layer.provide(Operators.Default)),
      Markers
    )
  ),
  Layer.provide(Services)
)

/** Plays the studio and says how to sign in. */
export const announceDemo = Effect.flatMap(Demo, (demo) =>
  Effect.flatMap(demo.play(), ({ email, password, applicationId, environmentId }) =>
    Console.log(
      `demo studio: sign in as ${email} with the password ${password} (application ${applicationId}, environment ${environmentId})`
    )
  )
)

/** The address by which this machine reaches the server; null where it listens on an address of the network only. */
const localOrigin = (host: string, port: number): string | null =>
  isEveryAddress(host) || isThisMachine(host) ? reachableAddress(host, port) : null

/** Prints a link that opens the studio in a browser of this machine. It stands nowhere else. */
export const announceEntrance = (host: string) =>
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const origin = address._tag === "TcpAddress" ? localOrigin(host, address.port) : null
    const owner = yield* (yield* Demo).owner
    if (origin === null || owner === null) return
    const secret = yield* (yield* DemoEntrance).open(owner)
    yield* Console.log(
      `demo studio: open ${origin}${entrancePath}/${secret} in a browser of this machine (once, within ${openMinutes} minutes)`
    )
  })
