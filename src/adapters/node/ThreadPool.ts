import { Data, Deferred, Effect, type Scope } from "effect"
import type { Worker } from "node:worker_threads"
import { workerOf } from "./StartedWorker.ts"

/**
 * No answer comes: `TimedOut` when it took longer than it may, `Ended` when the thread died of it, `Unstarted` where no thread could begin, for
 * which the question is not to blame.
 */
export class ThreadFailed extends Data.TaggedError("ThreadFailed")<{
  readonly reason: "TimedOut" | "Ended" | "Unstarted"
  readonly message: string
}> {}

export interface ThreadPoolOptions {
  /** The built file of the worker. It posts one message when it is ready, and from then on one for each that it receives. */
  readonly script: string
  /** Threads at most. They are started when they are first needed. */
  readonly threads: number
  /** Milliseconds without a question after which a thread ends and gives its memory back; threads stay by default. */
  readonly restMillis?: number
  /** What each thread is started with. */
  readonly workerData: unknown
  /** Mebibytes of memory for the objects of one thread. */
  readonly memoryMb: number
}

interface Thread {
  readonly worker: Worker
  readonly ready: Deferred.Deferred<void, ThreadFailed>
}

const ended = (cause: unknown) => new ThreadFailed({ reason: "Ended", message: String(cause) })

const unstarted = (cause: unknown) => new ThreadFailed({ reason: "Unstarted", message: String(cause) })

const start = ({ script, workerData, memoryMb }: ThreadPoolOptions) =>
  Effect.flatMap(Deferred.make<void, ThreadFailed>(), (ready): Effect.Effect<Thread, ThreadFailed> => {
    const worker = workerOf(script, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 }
    })
    if (typeof worker === "string") return Effect.fail(unstarted(worker))
    const fail = (cause: unknown) => Deferred.unsafeDone(ready, Effect.fail(unstarted(cause)))
    worker.once("message", () => Deferred.unsafeDone(ready, Effect.void))
    worker.on("error", fail)
    worker.on("exit", () => fail("it has stopped"))
    worker.unref()
    return Effect.succeed({ worker, ready })
  })

const answerOf = <Answer>(worker: Worker, question: unknown) =>
  Effect.async<Answer, ThreadFailed>((resume) => {
    const finish = (outcome: Effect.Effect<Answer, ThreadFailed>) => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit)
      resume(outcome)
    }
    const onMessage = (answer: Answer) => finish(Effect.succeed(answer))
    const onError = (cause: unknown) => finish(Effect.fail(ended(cause)))
    const onExit = () => finish(Effect.fail(ended("it has stopped")))
    worker.on("message", onMessage).on("error", onError).on("exit", onExit)
    worker.postMessage(question)
  })

/** Threads that answer one question at a time each. What both sides send is trusted, since they are one build. */
export interface ThreadPool {
  /**
   * Waits for a thread and asks it. One that has no answer within `millis`, or whose asker does not wait, is ended and replaced; the
   * time that it waits for a thread, and that a thread takes to start, does not count.
   */
  readonly ask: <Answer>(question: unknown, millis: number) => Effect.Effect<Answer, ThreadFailed>
}

/** Starts the pool; its threads end with the scope. */
export const makeThreadPool = (options: ThreadPoolOptions): Effect.Effect<ThreadPool, never, Scope.Scope> =>
  Effect.gen(function* () {
    const turn = yield* Effect.makeSemaphore(options.threads)
    const all = new Set<Worker>()
    /** Threads that nobody asks, and what ends each; undefined where nothing does. */
    const idle = new Map<Thread, NodeJS.Timeout | undefined>()
    let isClosed = false
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => {
        isClosed = true
        return Promise.all([...all].map((worker) => worker.terminate()))
      })
    )

    const leave = (thread: Thread) => {
      clearTimeout(idle.get(thread))
      idle.delete(thread)
    }

    const begin = Effect.tap(start(options), (thread) => {
      const { worker } = thread
      all.add(worker)
      // One that has ended while nobody asked it, such as one that could not start, would answer nobody.
      worker.once("exit", () => {
        all.delete(worker)
        leave(thread)
      })
    })

    const take = Effect.suspend(() => {
      const thread = [...idle.keys()].at(-1)
      if (thread === undefined) return begin
      leave(thread)
      return Effect.succeed(thread)
    })

    const { restMillis } = options
    const rest = (thread: Thread) => {
      if (!all.has(thread.worker)) return
      const end = () => {
        leave(thread)
        void thread.worker.terminate()
      }
      idle.set(thread, restMillis === undefined ? undefined : setTimeout(end, restMillis).unref())
    }

    /** The next question finds a thread that has started meanwhile, and starts one where that has failed. */
    const replace = ({ worker }: Thread) =>
      Effect.zipRight(
        Effect.sync(() => void worker.terminate()),
        Effect.suspend(() => (isClosed ? Effect.void : Effect.ignore(Effect.map(begin, rest))))
      )

    const ask = <Answer>(question: unknown, millis: number) => {
      const tooLong = () => new ThreadFailed({ reason: "TimedOut", message: `no answer within ${millis} ms` })
      const use = ({ worker, ready }: Thread) =>
        Effect.zipRight(
          Deferred.await(ready),
          answerOf<Answer>(worker, question).pipe(Effect.timeoutFail({ duration: millis, onTimeout: tooLong }))
        )
      return Effect.acquireUseRelease(take, use, (thread, exit) =>
        exit._tag === "Success" ? Effect.sync(() => rest(thread)) : replace(thread)
      ).pipe(Effect.interruptible, turn.withPermits(1))
    }

    return { ask }
  })
