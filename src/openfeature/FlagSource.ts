import type { Client } from "../sdk/Client.ts"
import { type Evaluation, evaluationOf, type Unit } from "../sdk/Evaluation.ts"
import type { RunningExperiment } from "../sdk/RunningExperiments.ts"
import type { Told } from "../sdk/Told.ts"
import { parsed } from "../sdk/Transport.ts"
import type { Path } from "./Flag.ts"
import { decidesAbout } from "./Decision.ts"
import type { FailedRound, Round } from "./Watch.ts"

export interface ProviderOptions {
  /** Alias or name of the configuration whose values are the flags; without one the primary. */
  readonly configuration?: string
  /** Whether targeting keys name players, which is the default, or game servers. */
  readonly unitType?: Unit["type"]
  /** How often the server is asked for changes: 60. */
  readonly pollSeconds?: number
}

type Failure = Extract<Told<unknown>, { readonly kind: "failed" }>

export const failedRound = ({ problem, status, retryAfterSeconds }: Failure): FailedRound => ({
  kind: "failed",
  isRefused: problem.kind !== "unreachable",
  isFatal: problem.kind === "invalid" || status === 401 || status === 403,
  message: problem.message,
  retryAfterSeconds
})

/** The keys of one of two configurations whose values differ. */
export const changedKeys = (before: Evaluation | null, after: Evaluation): ReadonlyArray<string> => {
  const known = before?.configuration ?? {}
  const keys = new Set([...Object.keys(known), ...Object.keys(after.configuration)])
  return [...keys].filter((key) => JSON.stringify(known[key]) !== JSON.stringify(after.configuration[key]))
}

const keysDecided = (experiments: ReadonlyArray<RunningExperiment>): ReadonlyArray<string> =>
  experiments.flatMap(({ groups }) => groups.flatMap(({ changes }) => changes.map(({ path }) => path[0] ?? "")))

/** The configuration that everybody gets who is in no experiment, and the experiments that run on it. */
export class FlagSource {
  base: Evaluation | null = null
  isStale = false
  private hash: string | undefined
  private all: ReadonlyArray<RunningExperiment> = []
  private readonly client: Client
  private readonly options: ProviderOptions

  constructor(client: Client, options: ProviderOptions) {
    this.client = client
    this.options = options
  }

  get unitType(): Unit["type"] {
    return this.options.unitType ?? "user"
  }

  get name(): { readonly name?: string } {
    const { configuration } = this.options
    return configuration === undefined ? {} : { name: configuration }
  }

  get experiments(): ReadonlyArray<RunningExperiment> {
    return this.all.filter(({ configurationId }) => configurationId === this.base?.configurationId)
  }

  /** Whether an experiment decides about a flag at one of the paths. */
  isDecided(paths: ReadonlyArray<Path>): boolean {
    return this.experiments.some((each) => decidesAbout(each, paths))
  }

  /** Whether a provider is ready in spite of this: the server is only out of reach, and a copy was kept. */
  isUsable({ isRefused }: FailedRound): boolean {
    return !isRefused && this.base !== null
  }

  /** The copy that was kept last for the unit, or with null for everybody, for when the server cannot be asked. */
  async recall(unit: Unit | null): Promise<Evaluation | null> {
    const text = await this.client.recall(this.keptAs(unit))
    return text === null ? null : evaluationOf(parsed(text))
  }

  keep(unit: Unit | null, evaluation: Evaluation): Promise<void> {
    return this.client.keep(this.keptAs(unit), JSON.stringify(evaluation))
  }

  /** Asks the server, and without an answer takes the kept copy where nothing is known yet. */
  async look(): Promise<Round> {
    const [told, running] = await Promise.all([
      this.client.evaluate(this.name, this.base?.hash),
      this.client.runningExperiments(this.unitType, this.hash)
    ])
    const failure = [told, running].find((each) => each.kind === "failed")
    if (failure?.kind === "failed") {
      this.isStale = true
      this.base ??= await this.recall(null)
      return failedRound(failure)
    }
    this.isStale = false
    const decidedBefore = running.kind === "told" ? keysDecided(this.experiments) : []
    const changed = told.kind === "told" ? changedKeys(this.base, told.value) : []
    if (told.kind === "told") {
      this.base = told.value
      await this.keep(null, told.value)
    }
    if (running.kind === "told") {
      this.hash = running.value.hash
      this.all = running.value.experiments
    }
    const decidedNow = running.kind === "told" ? keysDecided(this.experiments) : []
    return { kind: "fresh", changed: [...new Set([...changed, ...decidedBefore, ...decidedNow])] }
  }

  /** A player and a game server may have the same id. Copies of players are named as they were before servers had names of their own. */
  private keptAs(unit: Unit | null): string {
    const whose = unit === null || unit.type === "user" ? [unit?.distinctId ?? ""] : [unit.distinctId, unit.type]
    return `flags ${JSON.stringify([this.options.configuration ?? null, ...whose])}`
  }
}
