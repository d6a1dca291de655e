import { refusedWaitMillis, waitMillis } from "./Backoff.ts"
import { overlay } from "./Overlay.ts"
import { messageOf, type OnProblem } from "./Problem.ts"
import type { Storage } from "./Storage.ts"
import { type Timer, unheld } from "./Timer.ts"
import { messageIn, type Reply, type Transport } from "./Transport.ts"

/** Whom a configuration is for. With a unit, experiments decide what it gets, and that it got it is recorded as its exposure. */
export interface Unit {
  readonly type: "user" | "server"
  readonly distinctId: string
  /** What the targeting of experiments may ask about, such as a level or a platform. */
  readonly properties?: Readonly<Record<string, string | number | boolean | null>>
}

export interface ConfigurationOptions<Values extends object> {
  /** Alias or name of the configuration; without one the primary. */
  readonly name?: string
  /** What holds until the server has answered once, and wherever it says nothing. Their types are those of the values. */
  readonly defaults: Values
  readonly unit?: Unit
  /** How often the server is asked for changes. */
  readonly pollSeconds?: number
}

/** The group of a unit in an experiment. */
export interface Assignment {
  readonly experimentId: number
  readonly groupId: number
}

export interface ConfigurationSetting {
  readonly storage: Storage
  readonly transport: Transport
  readonly onProblem: OnProblem
  readonly chance: () => number
}

interface Copy {
  readonly hash: string
  readonly configuration: unknown
  readonly experiments: ReadonlyArray<Assignment>
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isAssignment = (value: unknown): value is Assignment =>
  isRecord(value) && typeof value["experimentId"] === "number" && typeof value["groupId"] === "number"

const copyOf = (body: unknown): Copy | null => {
  if (!isRecord(body) || typeof body["hash"] !== "string" || !isRecord(body["configuration"])) return null
  const { hash, configuration, experiments } = body
  const assignments: ReadonlyArray<unknown> = Array.isArray(experiments) ? experiments : []
  return {
    hash,
    configuration,
    experiments: assignments.filter(isAssignment).map(({ experimentId, groupId }) => ({ experimentId, groupId }))
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The values of a configuration: at once the defaults, soon the last good copy, then what the server says, kept up to date. */
export class RemoteConfiguration<Values extends object> {
  /** Resolves once there is a copy, kept or from the server, or the server could not be asked. */
  readonly ready: Promise<void>
  private readonly options: ConfigurationOptions<Values>
  private readonly setting: ConfigurationSetting
  private readonly listeners = new Set<(values: Values) => void>()
  private current: Values
  private copy: Copy | null = null
  private timer: Timer | null = null
  private failures = 0
  private isClosed = false

  constructor(options: ConfigurationOptions<Values>, setting: ConfigurationSetting) {
    this.options = options
    this.setting = setting
    this.current = options.defaults
    this.ready = this.recall().then(() => {
      const asked = this.refresh()
      return this.copy === null ? asked : undefined
    })
  }

  get values(): Values {
    return this.current
  }

  /** The groups that decided about the values. */
  get experiments(): ReadonlyArray<Assignment> {
    return this.copy?.experiments ?? []
  }

  /** Calls back whenever the values have changed, until the function that it returns is called. */
  onChange(listener: (values: Values) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Asks the server now. It never rejects: what went wrong is a problem, and the values stay. */
  async refresh(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer)
    const reply = await this.ask()
    const copy = reply.isReached && reply.status === 200 ? copyOf(reply.body) : null
    if (copy !== null) await this.take(copy)
    if (copy !== null || (reply.isReached && reply.status === 304)) {
      this.failures = 0
      this.askIn((this.options.pollSeconds ?? 60) * 1000 * (0.9 + 0.2 * this.setting.chance()))
    } else this.failed(reply)
  }

  close(): void {
    this.isClosed = true
    if (this.timer !== null) clearTimeout(this.timer)
  }

  private get storedAs(): string {
    const { name = "", unit } = this.options
    return `configuration ${JSON.stringify([name, unit?.type ?? null, unit?.distinctId ?? null])}`
  }

  private ask(): Promise<Reply> {
    const { name, unit } = this.options
    const known = this.copy?.hash
    if (unit === undefined) {
      const query = new URLSearchParams({
        ...(name === undefined ? {} : { configuration: name }),
        ...(known === undefined ? {} : { hash: known })
      })
      return this.setting.transport("GET", `/sdk/v2/configurations?${query.toString()}`)
    }
    const { type, distinctId, properties } = unit
    return this.setting.transport("POST", "/sdk/v2/configurations/evaluate", {
      body: {
        ...(name === undefined ? {} : { configuration: name }),
        unit: { type, distinctId },
        ...(properties === undefined ? {} : { context: { schemaVersion: 1, properties } }),
        ...(known === undefined ? {} : { knownHash: known })
      }
    })
  }

  private async recall(): Promise<void> {
    try {
      const text = await this.setting.storage.read(this.storedAs)
      const copy = text === null ? null : copyOf(parsed(text))
      if (copy !== null) this.show(copy)
    } catch (cause) {
      this.setting.onProblem({ kind: "storage", message: messageOf(cause) })
    }
  }

  private async take(copy: Copy): Promise<void> {
    this.show(copy)
    try {
      await this.setting.storage.write(this.storedAs, JSON.stringify(copy))
    } catch (cause) {
      this.setting.onProblem({ kind: "storage", message: messageOf(cause) })
    }
  }

  private show(copy: Copy): void {
    if (copy.hash === this.copy?.hash) return
    this.copy = copy
    this.current = overlay(this.options.defaults, copy.configuration, (path) =>
      this.setting.onProblem({ kind: "mismatch", message: `${path} has another type than its default, which is used` })
    )
    for (const listener of this.listeners) listener(this.current)
  }

  private failed(reply: Reply): void {
    this.failures++
    const { chance, onProblem } = this.setting
    const isRefused = reply.isReached && reply.status < 500 && reply.status !== 429 && reply.status !== 408
    const message = reply.isReached ? messageIn(reply.status, reply.body) : reply.reason
    onProblem({ kind: isRefused ? "refused" : "unreachable", message })
    const retryAfter = reply.isReached ? reply.retryAfterSeconds : null
    this.askIn(isRefused ? refusedWaitMillis(chance()) : waitMillis(this.failures, chance(), retryAfter))
  }

  private askIn(millis: number): void {
    if (this.isClosed) return
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = unheld(() => void this.refresh(), millis)
  }
}
