import { Effect, Layer, Redacted } from "effect"
import { estimatedLength, type PasswordEstimate, unknownStrength } from "../../domain/access/PasswordStrength.ts"
import { PasswordStrength } from "../../ports/access/PasswordStrength.ts"
import type { PasswordQuestion } from "./PasswordThread.ts"
import { makeThreadPool } from "./ThreadPool.ts"

const memoryMb = 256
/** Milliseconds after which an estimate is given up: a thousand times what one takes. */
const patience = 60_000

/**
 * Estimates by zxcvbn, in a thread: an estimate takes up to a fifth of a second. The thread, whose dictionaries take some 40 MB, ends with
 * its estimate, since people choose passwords seldom. `script` is its built file.
 */
export const PasswordStrengthNode = (script: string) =>
  Layer.effect(
    PasswordStrength,
    Effect.map(Effect.makeSemaphore(1), (turn) => ({
      estimate: (password, about) => {
        const question: PasswordQuestion = { password: Redacted.value(password).slice(0, estimatedLength), about }
        const estimated = Effect.flatMap(
          makeThreadPool({ script, threads: 1, memoryMb, workerData: null }),
          ({ ask }) => ask<PasswordEstimate>(question, patience)
        )
        return turn
          .withPermits(1)(Effect.scoped(estimated))
          .pipe(
            Effect.catchTag("ThreadFailed", ({ message }) =>
              Effect.as(Effect.logWarning(`No password could be estimated: ${message}`), unknownStrength)
            )
          )
      }
    }))
  )
