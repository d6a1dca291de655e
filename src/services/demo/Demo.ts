import { Cause, Effect, Option, Ref } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { DemoCohorts } from "./DemoCohorts.ts"
import { DemoConfigurations } from "./DemoConfigurations.ts"
import { DemoDeeplinks } from "./DemoDeeplinks.ts"
import { DemoDescriptions } from "./DemoDescriptions.ts"
import { DemoExperiments } from "./DemoExperiments.ts"
import { DemoMarkers } from "./DemoMarkers.ts"
import { DemoQuestions } from "./DemoQuestions.ts"
import { DemoStudio, type Studio } from "./DemoStudio.ts"

/** Plays a demo studio into the stores, once, and goes on with it. Nothing outside its organization is touched. */
export class Demo extends Effect.Service<Demo>()("services/demo/Demo", {
  effect: Effect.gen(function* () {
    const projects = yield* ProjectRepo
    const studios = yield* DemoStudio
    const configurations = yield* DemoConfigurations
    const experiments = yield* DemoExperiments
    const deeplinks = yield* DemoDeeplinks
    const markers = yield* DemoMarkers
    const descriptions = yield* DemoDescriptions
    const cohorts = yield* DemoCohorts
    const questions = yield* DemoQuestions
    const played = yield* Ref.make<Studio | null>(null)

    /** A part that cannot be played leaves the others as they are. */
    const part = <A, E>(studio: Studio, name: string, play: Effect.Effect<A, E, Principal>) =>
      Effect.provideService(play, Principal, studio.owner).pipe(
        Effect.catchAllCause((cause) =>
          Cause.isInterruptedOnly(cause)
            ? Effect.interrupt
            : Effect.logError(`Demo studio: its ${name} cannot be played`, cause)
        )
      )

    /** Makes what is missing and leaves the rest as it is; the owner gets a new password. Of a studio that is there, `goOn` adds the markers since. */
    const play = Effect.fnUntraced(function* () {
      const { signIn, studio } = yield* studios.open()
      if (studio === null) return signIn
      yield* part(studio, "configurations", configurations.play(studio))
      yield* part(studio, "experiments", experiments.play(studio))
      yield* part(studio, "deeplinks", deeplinks.play(studio))
      if (!(yield* markers.haveBegun(studio))) yield* part(studio, "markers", markers.catchUp(studio))
      yield* part(studio, "descriptions", descriptions.play(studio))
      yield* part(studio, "cohorts", cohorts.play(studio))
      yield* part(studio, "questions", questions.play(studio))
      yield* Ref.set(played, studio)
      return signIn
    })

    /** Adds what the players have done since the last time; nothing where the studio was deleted. */
    const goOn = Effect.fnUntraced(function* () {
      const studio = yield* Ref.get(played)
      if (studio === null || Option.isNone(yield* projects.findEnvironment(studio.environment.id))) return
      yield* markers.goOn(studio)
    })

    /** The id of the studio's owner; null before it is played. */
    const owner = Effect.map(Ref.get(played), (studio) => studio?.owner.userId ?? null)

    return { play, goOn, owner } as const
  })
}) {}
