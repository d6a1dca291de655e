import { Effect, Layer } from "effect"
import { ExperimentRepo } from "../../ports/ExperimentRepo.ts"
export const Stub = Layer.succeed(ExperimentRepo, { open: () => Effect.succeed([]) })
