import { Clock, Deferred, Effect, Either, Schema } from "effect"
import {
  Bootstrap,
  BootstrapConfiguration,
  DeliveredConfiguration,
  SdkStatus
} from "../../../schema/game/SdkConfigurations.ts"
import { contentSteps, jsonTextSteps } from "../../domain/configuration/Canonical.ts"
import { documentOfSteps } from "../../domain/configuration/DocumentText.ts"
import { linkSteps } from "../../domain/configuration/Link.ts"
import type { Audience } from "../../domain/configuration/Links.ts"
import type { Deliverable } from "../../domain/game/Bootstrap.ts"
import * as Documents from "../../domain/game/Bootstrap.ts"
import type { SnapshotEntry, Snapshot, SnapshotSource } from "../../domain/game/Snapshot.ts"
import { entryOf } from "../../domain/game/Snapshot.ts"
import { deliver, prepare } from "../../domain/game/Resolution.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { mebibyte, textBytes } from "../../domain/LruCache.ts"
import { ValidCache } from "../../domain/ValidCache.ts"
import type { Validity } from "../../domain/Validity.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { ConfigurationRepo } from "../../ports/configuration/ConfigurationRepo.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { RunningExperiments } from "../experiments/RunningExperiments.ts"
import { inTurns } from "../InTurns.ts"
import { joined, written, writtenList } from "../WrittenList.ts"
import { largeBuilds } from "./LargeBuilds.ts"
import { Versions } from "./Versions.ts"

/** An answer that is ready to be sent: JSON in UTF-8, and the hash by which the caller will know it. */
export interface Ready {
  readonly hash: string
  readonly bytes: Uint8Array
}

export interface ReadyEntry extends SnapshotEntry {
  readonly ready: Ready
}

/** What games of one audience read of an environment, resolved and written out. */
export interface Delivered extends Omit<Snapshot, "broken" | "configurations"> {
  readonly environmentId: EnvironmentId
  readonly audience: Audience
  readonly configurations: ReadonlyArray<ReadyEntry>
  readonly bootstrap: Ready
  readonly status: Ready
  readonly validity: Validity
}

/** A configuration, and its document as the store has it. */
type WrittenSource = SnapshotSource & { readonly text: string }

/** Is told of more bytes that a build holds, and waits where these are many. */
type Holds = Effect.Effect.Success<Effect.Effect.Success<typeof largeBuilds>>

/** A build, finished or under way. Whoever asks meanwhile waits for it. */
interface Build {
  readonly result: Deferred.Deferred<Delivered>
  /** Null until it is finished. */
  readonly delivered: Delivered | null
}

/** A document in memory takes about four times the bytes of its JSON; each entry holds it resolved and as it is delivered. */
const bytesOf = ({ configurations, experiments, bootstrap, status }: Delivered): number =>
  configurations.reduce((sum, { ready }) => sum + 9 * ready.bytes.length, 0) +
  bootstrap.bytes.length +
  status.bytes.length +
  textBytes(JSON.stringify(experiments))

const encoder = new TextEncoder()

const writeDelivered = written(DeliveredConfiguration.omit("configuration"))
const writeBootstrapEntry = written(BootstrapConfiguration.omit("configuration"))

/** The JSON text of an object with a document as its last field. */
const withDocument = (text: string, document: string): string => `${text.slice(0, -1)},"configuration":${document}}`

/** Keeps what games read of each environment ready in memory until a configuration or experiment changes or a planned change is due. */
export class Delivery extends Effect.Service<Delivery>()("services/game/Delivery", {
  scoped: Effect.gen(function* () {
    const scope = yield* Effect.scope
    const configurations = yield* ConfigurationRepo
    const runningExperiments = yield* RunningExperiments
    const secrets = yield* Secrets
    const versions = yield* Versions
    const beginning = yield* largeBuilds
    const builds = new ValidCache<Build>(256 * mebibyte, ({ delivered }) =>
      delivered === null ? 0 : bytesOf(delivered)
    )

    /** A short text that stands for a long one. */
    const digest = (text: string): string => secrets.digest(encoder.encode(text))

    const write = <A extends { readonly hash: string }, I>(schema: Schema.Schema<A, I>, value: A) =>
      Schema.encode(schema)(value).pipe(
        Effect.map((encoded): Ready => ({ hash: value.hash, bytes: encoder.encode(JSON.stringify(encoded)) })),
        Effect.orDie
      )

    /** The entry of a document whose text is known, which comes last as it is. */
    const writeEntry = (entry: SnapshotEntry, document: string) =>
      Effect.map(writeDelivered({ ...entry, configurationId: entry.id }), (text): ReadyEntry => ({
        ...entry,
        ready: { hash: entry.hash, bytes: encoder.encode(withDocument(text, document)) }
      }))

    /** The bootstrap holds every document, so its list is written apart from the rest, of texts that are known. */
    const writeBootstrap = Effect.fnUntraced(function* (found: Deliverable, documents: ReadonlyArray<string>) {
      const { configurations, ...rest } = Documents.bootstrap(found, digest)
      const list = yield* writtenList(
        ([index, each]) => Effect.map(writeBootstrapEntry(each), (text) => withDocument(text, documents[index] ?? "")),
        configurations.entries()
      )
      const encoded = yield* Effect.orDie(Schema.encode(Bootstrap)({ ...rest, configurations: [] }))
      const { configurations: _, ...shared } = encoded
      const [before, after] = ['{"configurations":', `,${JSON.stringify(shared).slice(1)}`]
      return { hash: rest.hash, bytes: joined([encoder.encode(before), list, encoder.encode(after)]) }
    })

    /** One configuration after the other, because a single one may take most of the time that others can wait. */
    const entriesOf = Effect.fnUntraced(function* (
      sources: ReadonlyArray<WrittenSource>,
      audience: Audience,
      holds: Holds
    ) {
      const byId = new Map(sources.map((source) => [source.id, source]))
      const entries: Array<ReadyEntry> = []
      const documents: Array<string> = []
      for (const source of sources) {
        yield* inTurns(() => linkSteps(source.document))
        const resolution = prepare(source, (id) => byId.get(id), audience)
        yield* nextTurn
        if (Either.isLeft(resolution)) {
          yield* Effect.logError(`Configuration ${source.id} cannot be delivered`, resolution.left)
          continue
        }
        const configuration = deliver(resolution.right, [])
        yield* nextTurn
        const text = yield* inTurns(() => contentSteps(configuration, resolution.right.privacy))
        const entry = entryOf(source, resolution.right, configuration, digest(text))
        yield* nextTurn
        const isAsStored = configuration === source.document
        const document = isAsStored ? source.text : yield* inTurns(() => jsonTextSteps(configuration))
        yield* holds(document.length)
        documents.push(document)
        entries.push(yield* writeEntry(entry, document))
        yield* nextTurn
      }
      return { entries, documents }
    })

    /** All configurations of the environment, the large ones read in turns. */
    const sourcesOf = (environmentId: EnvironmentId) =>
      Effect.flatMap(configurations.listWritten(environmentId), (all) =>
        Effect.forEach(all, ({ summary, document: text }) =>
          Effect.map(
            inTurns(() => documentOfSteps(text)),
            (document): WrittenSource => ({ ...summary, document, text })
          )
        )
      )

    const build = Effect.fnUntraced(function* (environmentId: EnvironmentId, audience: Audience, unchanged: Validity) {
      const holds = yield* beginning
      yield* holds((yield* configurations.sizes(environmentId)).reduce((sum, { bytes }) => sum + bytes, 0))
      const sources = yield* sourcesOf(environmentId)
      const { running, validity } = yield* runningExperiments.now(environmentId)
      const experiments = running.map(({ experiment }) => experiment)
      const { entries, documents } = yield* entriesOf(sources, audience, holds)
      const found = { configurations: entries, experiments }
      return {
        environmentId,
        audience,
        ...found,
        bootstrap: yield* writeBootstrap(found, documents),
        status: yield* write(SdkStatus, Documents.status(found, digest)),
        validity: unchanged.endingAt(validity.until)
      } satisfies Delivered
    })

    /** Begins to build. Uninterruptible: whoever comes next waits for what is set here, so it must not stay without a fiber that builds it. */
    const begin = Effect.fnUntraced(function* (environmentId: EnvironmentId, audience: Audience, key: string) {
      const unchanged = versions.content(environmentId).validity()
      const result = yield* Deferred.make<Delivered>()
      const started: Build = { result, delivered: null }
      builds.set(key, started, unchanged)
      const isLatest = (now: number) => builds.get(key, now) === started
      const finish = Effect.fnUntraced(function* (delivered: Delivered) {
        if (isLatest(yield* Clock.currentTimeMillis)) builds.set(key, { result, delivered }, delivered.validity)
      })
      const forget = Effect.map(Clock.currentTimeMillis, (now) => {
        if (isLatest(now)) builds.delete(key)
      })
      yield* build(environmentId, audience, unchanged).pipe(
        Effect.scoped,
        Effect.tap(finish),
        Effect.onError(() => forget),
        Effect.interruptible,
        Effect.intoDeferred(result),
        Effect.forkIn(scope)
      )
      return result
    }, Effect.uninterruptible)

    const keyOf = (environmentId: EnvironmentId, audience: Audience): string => `${environmentId} ${audience}`

    /** The same as `current` at `now` (epoch milliseconds), if it is ready. */
    const known = (environmentId: EnvironmentId, audience: Audience, now: number): Delivered | undefined =>
      builds.get(keyOf(environmentId, audience), now)?.delivered ?? undefined

    /** What games of the audience read of the environment now. */
    const current = Effect.fnUntraced(function* (environmentId: EnvironmentId, audience: Audience) {
      const key = keyOf(environmentId, audience)
      const known = builds.get(key, yield* Clock.currentTimeMillis)
      const result = known?.result ?? (yield* begin(environmentId, audience, key))
      return yield* Deferred.await(result)
    })

    return { known, current, digest } as const
  })
}) {}
