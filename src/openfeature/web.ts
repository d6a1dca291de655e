// `gamekeeper/openfeature/web`: the provider for `@openfeature/web-sdk`.
import {
  ErrorCode,
  type EvaluationContext,
  GeneralError,
  InvalidContextError,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  ProviderFatalError,
  type ResolutionDetails,
  type TrackingEventDetails
} from "@openfeature/web-sdk"
import type { Client } from "../sdk/Client.ts"
import type { Evaluation, Unit } from "../sdk/Evaluation.ts"
import { markerProperties, trackedFor, unitOf } from "./Context.ts"
import { changedKeys, failedRound, FlagSource, type ProviderOptions } from "./FlagSource.ts"
import { failed, type IsKind, isBoolean, isNumber, isStructure, isText, resolve } from "./Resolution.ts"
import { type Round, ServerWatch } from "./Watch.ts"

const isSameUnit = (one: Unit | null, other: Unit | null): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Flags for pages: the context is set once, for the player who plays there, and flags are answered at once from what was asked then. */
export class GamekeeperWebProvider implements Provider {
  readonly metadata = { name: "gamekeeper-web" } as const
  readonly runsOn = "client"
  readonly events = new OpenFeatureEventEmitter()
  private readonly client: Client
  private readonly source: FlagSource
  private readonly watch: ServerWatch
  private unlisten: () => void = () => undefined
  private unit: Unit | null = null
  private own: Evaluation | null = null
  private isOwnStale = false
  /** Flags that changed while another question failed: a round that fails tells of none. */
  private readonly untold = new Set<string>()

  constructor(client: Client, options: ProviderOptions = {}) {
    this.client = client
    this.source = new FlagSource(client, options)
    const voice = {
      ready: () => this.events.emit(ProviderEvents.Ready),
      stale: (message: string) => this.events.emit(ProviderEvents.Stale, { message }),
      error: (message: string) => this.events.emit(ProviderEvents.Error, { message }),
      changed: (flags: ReadonlyArray<string>) =>
        this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...flags] })
    }
    this.watch = new ServerWatch(() => this.look(), voice, options.pollSeconds ?? 60)
  }

  async initialize(context: EvaluationContext = {}): Promise<void> {
    this.unit = unitOf(context, this.source.unitType)
    const round = await this.watch.begin((failed) => this.source.isUsable(failed))
    if (round.kind === "failed" && round.isFatal) return Promise.reject(new ProviderFatalError(round.message))
    this.unlisten()
    // A provider may be replaced before it has begun.
    if (this.watch.isRunning) this.unlisten = this.client.onNotice(() => void this.watch.again())
    if (round.kind === "fresh") return
    if (!this.source.isUsable(round)) return Promise.reject(new GeneralError(round.message))
  }

  /** Asks what the new player gets. What another player got is never answered to this one. */
  async onContextChange(_before: EvaluationContext, context: EvaluationContext): Promise<void> {
    const unit = unitOf(context, this.source.unitType)
    // Whoever sets the same player once more after a failure tries again: the SDK takes silence for success.
    if (isSameUnit(unit, this.unit) && !this.isOwnStale) return
    if (unit?.distinctId !== this.unit?.distinctId) this.own = null
    this.unit = unit
    const round = await this.ask()
    if (round.kind === "fresh" || !isSameUnit(unit, this.unit)) return
    this.watch.failed(round)
    if (round.isRefused) return Promise.reject(new InvalidContextError(round.message))
    return Promise.reject(new GeneralError(round.message))
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

  resolveBooleanEvaluation(flagKey: string, defaultValue: boolean) {
    return this.resolved(flagKey, defaultValue, isBoolean)
  }

  resolveStringEvaluation(flagKey: string, defaultValue: string) {
    return this.resolved(flagKey, defaultValue, isText)
  }

  resolveNumberEvaluation(flagKey: string, defaultValue: number) {
    return this.resolved(flagKey, defaultValue, isNumber)
  }

  resolveObjectEvaluation<Value extends JsonValue>(flagKey: string, defaultValue: Value) {
    return this.resolved(flagKey, defaultValue, isStructure<Value>)
  }

  track(name: string, context: EvaluationContext, details: TrackingEventDetails): void {
    this.client.track(name, markerProperties(details), trackedFor(context))
  }

  private async look(): Promise<Round> {
    const everybody = await this.source.look()
    const player = await this.ask()
    for (const round of [everybody, player])
      if (round.kind === "fresh") for (const flag of round.changed) this.untold.add(flag)
    if (everybody.kind === "failed") return everybody
    if (player.kind === "failed") return player
    const changed = [...this.untold]
    this.untold.clear()
    return { kind: "fresh", changed }
  }

  /** What the player gets, where experiments decide about that. */
  private async ask(): Promise<Round> {
    const { unit, source } = this
    if (unit === null || (source.experiments.length === 0 && !source.isStale)) {
      this.own = null
      this.isOwnStale = false
      return { kind: "fresh", changed: [] }
    }
    const told = await this.client.evaluate({ ...source.name, unit }, this.own?.hash)
    if (!isSameUnit(unit, this.unit)) return { kind: "fresh", changed: [] }
    this.isOwnStale = told.kind === "failed"
    if (told.kind === "failed") {
      const kept = this.own ?? (await source.recall(unit))
      if (isSameUnit(unit, this.unit)) this.own = kept
      return failedRound(told)
    }
    if (told.kind === "unchanged") return { kind: "fresh", changed: [] }
    const changed = changedKeys(this.own ?? source.base, told.value)
    this.own = told.value
    await source.keep(unit, told.value)
    return { kind: "fresh", changed }
  }

  private resolved<Value>(key: string, fallback: Value, isKind: IsKind<Value>): ResolutionDetails<Value> {
    const { base, experiments, isStale } = this.source
    const evaluation = this.own ?? base
    if (evaluation === null) return failed(fallback, ErrorCode.PROVIDER_NOT_READY, "The server has not answered yet")
    return resolve({ evaluation, experiments, isStale: isStale || this.isOwnStale }, key, fallback, isKind)
  }
}
