// `gamekeeper/openfeature/server`: the provider for `@openfeature/server-sdk`.
import {
  ErrorCode,
  type EvaluationContext,
  GeneralError,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  ProviderFatalError,
  type ResolutionDetails,
  type TrackingEventDetails
} from "@openfeature/server-sdk"
import type { Client } from "../sdk/Client.ts"
import { markerProperties, trackedFor, unitOf } from "./Context.ts"
import { pathsOf } from "./Flag.ts"
import { FlagSource, type ProviderOptions } from "./FlagSource.ts"
import { failed, type IsKind, isBoolean, isNumber, isStructure, isText, resolve } from "./Resolution.ts"
import { UnitEvaluations } from "./UnitEvaluations.ts"
import { ServerWatch } from "./Watch.ts"

export interface ServerProviderOptions extends ProviderOptions {
  /** How much memory the answers of players may take: 32 MiB. */
  readonly mostBytes?: number
}

const mebibyte = 1024 * 1024

/** Flags for servers: a context says with each evaluation whom it is for. */
export class GamekeeperProvider implements Provider {
  readonly metadata = { name: "gamekeeper" } as const
  readonly runsOn = "server"
  readonly events = new OpenFeatureEventEmitter()
  private readonly client: Client
  private readonly source: FlagSource
  private readonly units: UnitEvaluations
  private readonly watch: ServerWatch
  private unlisten: () => void = () => undefined

  constructor(client: Client, options: ServerProviderOptions = {}) {
    const { pollSeconds = 60, mostBytes = 32 * mebibyte } = options
    this.client = client
    this.source = new FlagSource(client, options)
    this.units = new UnitEvaluations(client, pollSeconds * 1000, mostBytes)
    const voice = {
      ready: () => this.events.emit(ProviderEvents.Ready),
      stale: (message: string) => this.events.emit(ProviderEvents.Stale, { message }),
      error: (message: string) => this.events.emit(ProviderEvents.Error, { message }),
      changed: (flags: ReadonlyArray<string>) => {
        this.units.expire()
        this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...flags] })
      }
    }
    const look = async () => {
      const round = await this.source.look()
      if (round.kind === "fresh") this.units.reached()
      return round
    }
    this.watch = new ServerWatch(look, voice, pollSeconds)
  }

  async initialize(): Promise<void> {
    const round = await this.watch.begin((failed) => this.source.isUsable(failed))
    if (round.kind === "failed" && round.isFatal) return Promise.reject(new ProviderFatalError(round.message))
    this.unlisten()
    // A provider may be replaced before it has begun.
    if (this.watch.isRunning) this.unlisten = this.client.onNotice(() => void this.watch.again())
    if (round.kind === "fresh") return
    if (!this.source.isUsable(round)) return Promise.reject(new GeneralError(round.message))
  }

  /** Ends polling and sends what was tracked. The client stays open, because it belongs to whoever made it. */
  async onClose(): Promise<void> {
    this.unlisten()
    this.watch.end()
    await this.client.flush()
  }

  /** Asks the server now instead of after `pollSeconds`. */
  refresh(): Promise<void> {
    return this.watch.again()
  }

  resolveBooleanEvaluation(flagKey: string, defaultValue: boolean, context: EvaluationContext) {
    return this.resolved(flagKey, defaultValue, context, isBoolean)
  }

  resolveStringEvaluation(flagKey: string, defaultValue: string, context: EvaluationContext) {
    return this.resolved(flagKey, defaultValue, context, isText)
  }

  resolveNumberEvaluation(flagKey: string, defaultValue: number, context: EvaluationContext) {
    return this.resolved(flagKey, defaultValue, context, isNumber)
  }

  resolveObjectEvaluation<Value extends JsonValue>(flagKey: string, defaultValue: Value, context: EvaluationContext) {
    return this.resolved(flagKey, defaultValue, context, isStructure<Value>)
  }

  track(name: string, context: EvaluationContext, details: TrackingEventDetails): void {
    this.client.track(name, markerProperties(details), trackedFor(context))
  }

  private async resolved<Value>(
    key: string,
    fallback: Value,
    context: EvaluationContext,
    isKind: IsKind<Value>
  ): Promise<ResolutionDetails<Value>> {
    const { base, experiments, isStale, name, unitType } = this.source
    if (base === null) return failed(fallback, ErrorCode.PROVIDER_NOT_READY, "The server has not answered yet")
    const everybody = { evaluation: base, experiments, isStale }
    const unit = unitOf(context, unitType)
    // Nobody is asked about, and so exposed, for a flag about which no experiment decides.
    if (unit === null || !this.source.isDecided(pathsOf(key))) return resolve(everybody, key, fallback, isKind)
    const answer = await this.units.of(name, unit)
    if (answer.kind === "known") {
      return resolve({ ...answer, experiments, isStale: isStale || answer.isStale }, key, fallback, isKind)
    }
    return answer.status === 400
      ? failed(fallback, ErrorCode.INVALID_CONTEXT, answer.problem.message)
      : resolve({ ...everybody, isStale: true }, key, fallback, isKind)
  }
}
