import { pollMillis, refusedWaitMillis, waitMillis } from "./Backoff.ts"
import { askEvaluation, type Assignment, type Evaluation, evaluationOf, type Unit } from "./Evaluation.ts"
import type { Notice, NoticeStream } from "./NoticeStream.ts"
import { overlay } from "./Overlay.ts"
import { calling, messageOf, type OnProblem } from "./Problem.ts"
import type { Storage } from "./Storage.ts"
import { type Timer, unheld } from "./Timer.ts"
import { parsed, problemIn, type Reply, type Transport } from "./Transport.ts"

export interface ConfigurationOptions<Values extends object> {
  /** Alias or name of the configuration; without one the primary. */
  readonly name?: string
  /** What holds until the server has answered once, and wherever it says nothing. Their types are those of the values. */
  readonly defaults: Values
  readonly unit?: Unit
  /** How often the server is asked for changes: 60, and no more often than each second. `Infinity` is never. */
  readonly pollSeconds?: number
}

export interface ConfigurationSetting {
  readonly storage: Storage
  readonly transport: Transport
  readonly onProblem: OnProblem
  readonly chance: () => number
  /** Null where nobody listens to what is published. */
  readonly notices: NoticeStream | null
  /** The environment that is asked about: each has copies of its own. */
  readonly environment: string
  /** Called when this is closed. */
  readonly onClose: () => void
}

/** The values of a configuration: at once the defaults, soon the last good copy, then what the server says, kept up to date. */
export class RemoteConfiguration<Values extends object> {
  /** Resolves once there is a copy, kept or from the server, or the server could not be asked. */
  readonly ready: Promise<void>
  private readonly options: ConfigurationOptions<Values>
  private readonly setting: ConfigurationSetting
  private readonly listeners = new Set<(values: Values) => void>()
  private current: Values
  private copy: Evaluation | null = null
  private timer: Timer | null = null
  private failures = 0
  private asked = 0
  /** Which question the last answer that was taken belongs to. */
  private answered = 0
  private isClosed = false
  private readonly unlisten: () => void

  constructor(options: ConfigurationOptions<Values>, setting: ConfigurationSetting) {
    this.options = options
    this.setting = setting
    this.current = options.defaults
    const { notices } = setting
    this.unlisten = notices === null ? () => undefined : notices.listen((notice) => this.hear(notice))
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
    if (this.isClosed) return
    if (this.timer !== null) clearTimeout(this.timer)
    const question = ++this.asked
    const known = this.copy?.hash
    const reply = await this.ask()
    // An answer that was overtaken by that to a later question says what was true before.
    if (this.isClosed || question < this.answered) return
    this.answered = question
    const isUnchanged = reply.isReached && reply.status === 304
    // What was published when an earlier question was answered has been taken back since: the copy that holds still is no longer here.
    if (isUnchanged && known !== this.copy?.hash) return this.refresh()
    const copy = reply.isReached && reply.status === 200 ? evaluationOf(reply.body) : null
    if (copy !== null) await this.take(copy)
    if (copy !== null || isUnchanged) {
      this.failures = 0
      this.askIn(pollMillis(this.options.pollSeconds ?? 60, this.setting.chance()))
    } else this.failed(reply)
  }

  /** Asks no more and calls nobody back; the values stay. Whoever has one for each player closes it when the player leaves. */
  close(): void {
    this.isClosed = true
    this.unlisten()
    this.setting.onClose()
    if (this.timer !== null) clearTimeout(this.timer)
  }

  /** Experiments change what units get alone. */
  private hear(notice: Notice): void {
    if (notice !== "experiments" || this.options.unit !== undefined) void this.refresh()
  }

  private get storedAs(): string {
    const { name = "", unit } = this.options
    const { environment } = this.setting
    const whose = [name, unit?.type ?? null, unit?.distinctId ?? null]
    return `configuration ${JSON.stringify(environment === "production" ? whose : [...whose, environment])}`
  }

  private ask(): Promise<Reply> {
    return askEvaluation(this.setting.transport, this.options, this.copy?.hash)
  }

  private async recall(): Promise<void> {
    try {
      const text = await this.setting.storage.read(this.storedAs)
      const copy = text === null ? null : evaluationOf(parsed(text))
      // Somebody may have asked the server meanwhile.
      if (copy !== null && this.copy === null) this.show(copy)
    } catch (cause) {
      this.setting.onProblem({ kind: "storage", message: messageOf(cause) })
    }
  }

  private async take(copy: Evaluation): Promise<void> {
    this.show(copy)
    try {
      await this.setting.storage.write(this.storedAs, JSON.stringify(copy))
    } catch (cause) {
      this.setting.onProblem({ kind: "storage", message: messageOf(cause) })
    }
  }

  private show(copy: Evaluation): void {
    if (copy.hash === this.copy?.hash) return
    this.copy = copy
    this.current = overlay(this.options.defaults, copy.configuration, (path) =>
      this.setting.onProblem({ kind: "mismatch", message: `${path} has another type than its default, which is used` })
    )
    for (const listener of this.listeners) calling(() => listener(this.current), this.setting.onProblem)
  }

  private failed(reply: Reply): void {
    const problem = problemIn(reply)
    if (this.isClosed || problem.kind === "invalid") return
    this.failures++
    const { chance, onProblem } = this.setting
    onProblem(problem)
    const retryAfter = reply.isReached ? reply.retryAfterSeconds : null
    this.askIn(
      problem.kind === "refused" ? refusedWaitMillis(chance()) : waitMillis(this.failures, chance(), retryAfter)
    )
  }

  private askIn(millis: number): void {
    if (this.isClosed) return
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = unheld(() => void this.refresh(), millis)
  }
}
