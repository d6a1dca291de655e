import {
  type Catalogue,
  type FieldSource,
  seenNames,
  seenTypes,
  seenValues,
  versionProperty
} from "../../../../domain/analytics/markers/Catalogue.ts"
import { seenVersions } from "../../../../domain/analytics/markers/SeenVersions.ts"
import { everythingKept, highestOf, type RetentionLimit } from "../../../../domain/analytics/markers/RetentionRule.ts"
import { Activity } from "../file/Activity.ts"
import type { StoreQuestion } from "../cohorts/CohortQuestion.ts"
import { CohortReader } from "../cohorts/CohortReader.ts"
import { ColumnCache, type ThreadMemory } from "../file/ColumnCache.ts"
import { Cancelled, Control } from "../read/Control.ts"
import type { Db } from "../file/Db.ts"
import type { ReaderMessage, ReaderOptions, ReaderReply } from "./Protocol.ts"
import type {
  AnswerMeta,
  Answers,
  Incomplete,
  QuestionKind,
  QuestionOf
} from "../../../../domain/analytics/question/Question.ts"
import { scanPlayers } from "../players/PlayersScan.ts"
import { scan } from "../scan/Scan.ts"
import { DamagedSegment, SegmentDecoder } from "../file/SegmentDecoder.ts"
import { lackingOf, Segments } from "../file/Segments.ts"
import { retained } from "../file/RetainedRows.ts"
import { type RowBlock, SealedRowBlock } from "../file/RowBlock.ts"
import { type Environment, Snapshot } from "../read/Snapshot.ts"
import { StoredActivity } from "../file/StoredActivity.ts"
import { StoredCatalogue } from "../file/StoredCatalogue.ts"
import { StoredMembers } from "../file/StoredMembers.ts"
import { StoredNames } from "../file/StoredNames.ts"
import { Tail } from "../file/Tail.ts"
import { merged } from "../file/UnitOrder.ts"

type Ask = Extract<ReaderMessage, { readonly type: "ask" }>

/** Kinds of questions that are answered without reading segments. */
const unscanned: ReadonlySet<StoreQuestion["kind"]> = new Set([
  "types",
  "names",
  "values",
  "versions",
  "cohortMembers",
  "cohortCount",
  "cohortStays",
  "cohortsOfUnit"
])

/** Answers questions one at a time. Each question sees one snapshot of the file. */
export class Reader {
  private readonly db: Db
  private readonly names: StoredNames
  private readonly tail: Tail
  private readonly members: StoredMembers
  private readonly catalogue: StoredCatalogue
  private readonly activity: StoredActivity
  private readonly segments: Segments
  private readonly decoder: SegmentDecoder
  readonly cache: ColumnCache
  private blocks = new Map<number, SealedRowBlock>()
  private readonly damaged = new Map<number, string>()

  constructor(db: Db, { cacheBytes }: ReaderOptions, thread: ThreadMemory | null = null) {
    this.db = db
    this.cache = new ColumnCache(cacheBytes, thread)
    this.names = new StoredNames(db, this.cache)
    this.tail = new Tail(db, this.names)
    this.members = new StoredMembers(db)
    this.catalogue = new StoredCatalogue(db)
    this.activity = new StoredActivity(db)
    this.segments = new Segments(db)
    this.decoder = new SegmentDecoder(this.segments)
  }

  reply({ id, environmentId, question, limit = everythingKept, control }: Ask): ReaderReply<unknown> {
    const started = performance.now()
    const shared = new Control(control)
    this.cache.beginQuestion()
    try {
      const { answer, highestSequence, incomplete } = this.db.transaction(() =>
        this.ask(environmentId, question, limit, shared)
      )()
      shared.finish()
      const elapsedMs = performance.now() - started
      const damaged = [...this.damaged.values()]
      const meta: AnswerMeta = { rowsScanned: shared.rowsScanned, elapsedMs, highestSequence, damaged, incomplete }
      return { type: "answer", id, answer, meta }
    } catch (cause) {
      if (cause instanceof Cancelled) return { type: "cancelled", id }
      return { type: "failed", id, message: String(cause) }
    }
  }

  /** Answers a question of the caller's own thread. */
  answerTo<Kind extends QuestionKind>(
    environmentId: number,
    question: QuestionOf<Kind>,
    limit: RetentionLimit
  ): ReaderReply<Answers[Kind]["answer"]>
  answerTo(environmentId: number, question: StoreQuestion, limit: RetentionLimit): ReaderReply<unknown> {
    return this.reply({ type: "ask", id: 1, environmentId, question, limit, control: new Control().shared })
  }

  /** Learns what is stored, so that the first question need not. What cannot be read is told to the question that meets it. */
  prepare(): void {
    try {
      this.db.transaction(() => this.refresh())()
    } catch {
      return
    }
  }

  close(): void {
    this.db.close()
  }

  private ask(
    environmentId: number,
    question: StoreQuestion,
    limit: RetentionLimit,
    control: Control
  ): { answer: unknown } & Pick<AnswerMeta, "highestSequence" | "incomplete"> {
    this.refresh()
    try {
      const environment = this.environment(environmentId, limit)
      control.expect(environment.blocks.reduce((rows, block) => rows + block.rows, 0))
      control.advance(0)
      return {
        answer: this.answer(environmentId, question, new Snapshot(environment, control, this.cache.working)),
        highestSequence: environment.highestSequence,
        incomplete: unscanned.has(question.kind) ? null : this.leftOut(environmentId)
      }
    } catch (cause) {
      if (!(cause instanceof DamagedSegment) || this.damaged.has(cause.segment.id)) throw cause
      this.damaged.set(cause.segment.id, cause.message)
      return this.ask(environmentId, question, limit, control)
    }
  }

  private refresh(): void {
    this.tail.refresh()
    const ids = this.segments.ids()
    const known = this.blocks
    if (known.size === ids.length && ids.every((id) => known.has(id))) return
    const fresh = this.segments.among(ids.filter((id) => !known.has(id)))
    this.blocks = new Map()
    for (const id of ids) {
      const segment = fresh.get(id)
      const block = segment === undefined ? known.get(id) : new SealedRowBlock(segment, this.decoder, this.cache)
      if (block !== undefined) this.blocks.set(id, block)
    }
  }

  /** What of the environment cannot be read. */
  private leftOut(environmentId: number): Incomplete | null {
    const segments = [...this.blocks.values()].map(({ segment }) => segment)
    const lost = segments.filter((segment) => segment.environmentId === environmentId && this.damaged.has(segment.id))
    return lackingOf(lost)
  }

  private environment(environmentId: number, limit: RetentionLimit): Environment {
    const tail = this.tail.of(environmentId)
    const { names } = this
    const { first } = tail.units
    const sealedOnly = (id: number | undefined) => (id === undefined || id >= first ? undefined : id)
    const numberOf = (stored: number) =>
      stored < first ? stored : (tail.units.find(names.unit(environmentId, stored) ?? "") ?? 0)
    const own = [...this.blocks.values()].filter(({ segment }) => segment.environmentId === environmentId)
    const readable = own.filter(({ segment }) => !this.damaged.has(segment.id))
    const within = (all: ReadonlyArray<RowBlock>) =>
      all.map((block) => retained(block, limit)).filter((block) => block !== null)
    const [sealed, blocks] = [within(readable), within(tail.blocks())]
    return {
      blocks: [...sealed, ...blocks],
      sealed,
      tail: blocks,
      activity: () => (readable.length < own.length ? null : this.activityOf(environmentId, limit)),
      units: tail.units.end,
      sessions: tail.sessions.end,
      highestSequence: readable.reduce(
        (highest, { segment }) => Math.max(highest, segment.lastSequence),
        tail.highestSequence
      ),
      unitId: (name) => tail.units.find(name) ?? sealedOnly(names.idOfUnit(environmentId, name)),
      unitName: (id) => tail.units.nameOf(id) ?? names.unit(environmentId, id),
      unitsStarting: (prefix) => [
        ...names.units.starting(environmentId, prefix, first),
        ...tail.units.starting(prefix)
      ],
      unitsInOrder: (order) =>
        merged(names.units.inOrder(environmentId, order, first), tail.units.inOrder(order), order),
      names: (sequences) => tail.names(names.of(environmentId, sequences)),
      firstUnstored: first,
      numberOf,
      revisionOf: (id) => this.members.current(environmentId, id).revision,
      cohort: (id) => {
        const flags = new Uint8Array(tail.units.end)
        for (const unit of this.members.current(environmentId, id).units) flags[numberOf(unit)] = 1
        flags[0] = 0
        return flags
      }
    }
  }

  private answer(environmentId: number, question: StoreQuestion, snapshot: Snapshot): unknown {
    switch (question.kind) {
      case "types":
        return seenTypes(this.catalogueOf(environmentId), question.plan.now)
      case "names":
        return seenNames(this.catalogueOf(environmentId), question.plan.source, question.plan.type)
      case "values":
        return seenValues(this.valuesOf(environmentId, question.plan.source, question.plan.name), question.plan)
      case "versions":
        return seenVersions(this.valuesOf(environmentId, "property", versionProperty), question.plan.range)
      case "cohortChange":
      case "cohortUnits":
      case "cohortMembers":
      case "cohortCount":
      case "cohortStays":
      case "cohortsOfUnit":
        return new CohortReader(environmentId, snapshot, this.members, this.names).answer(question)
      case "players":
        return scanPlayers(question.plan, snapshot)
      default:
        return scan(question, snapshot)
    }
  }

  private activityOf(environmentId: number, limit: RetentionLimit): Activity {
    const types = this.catalogue.types(environmentId)
    return new Activity(environmentId, types, this.activity, this.cache, highestOf(limit))
  }

  private catalogueOf(environmentId: number): Catalogue {
    return this.withTail(environmentId, this.catalogue.read(environmentId))
  }

  private valuesOf(environmentId: number, source: FieldSource, name: string): Catalogue {
    return this.withTail(environmentId, this.catalogue.readValues(environmentId, source, name))
  }

  private withTail(environmentId: number, catalogue: Catalogue): Catalogue {
    for (const block of this.tail.of(environmentId).blocks()) catalogue.merge(block.catalogue())
    return catalogue
  }
}
