import { Effect, Layer } from "effect"
import { AuditContent, type AuditEntry, chainedText, noChain } from "../../../domain/operations/audit/AuditEntry.ts"
import { type AuditFilter, AuditRepo } from "../../../ports/operations/AuditRepo.ts"
import { Schema } from "effect"
import { MemoryDb } from "../MemoryDb.ts"

const encode = Schema.encodeSync(Schema.parseJson(AuditContent))

const passes =
  (filter: AuditFilter) =>
  ({ content }: AuditEntry): boolean =>
    (filter.userId === null || content.actor.userId === filter.userId) &&
    (filter.operation === null || content.operation === filter.operation) &&
    (filter.kind === null || content.object.kind === filter.kind) &&
    (filter.objectId === null || content.object.id === filter.objectId) &&
    (filter.applicationId === null || content.applicationId === filter.applicationId) &&
    (filter.from === null || content.at >= filter.from) &&
    (filter.to === null || content.at < filter.to)

const portion = 1000

export const AuditRepoMemory = Layer.effect(
  AuditRepo,
  Effect.map(MemoryDb, ({ access, organizations, auditChains, auditEntries, begunChanges }) => {
    const chainOf = (organizationId: number) =>
      auditChains.rows.find((each) => each.organizationId === organizationId) ?? noChain
    const own = (organizationId: number) => auditEntries.rows.filter((each) => each.organizationId === organizationId)
    return AuditRepo.of({
      begin: (change) => access(() => void begunChanges.insert(change)),
      discard: (id) => access(() => begunChanges.remove((each) => each.id === id)),
      append: ({ id, organizationId, content }, hash) =>
        access(() => {
          if (!begunChanges.rows.some((each) => each.id === id)) return
          begunChanges.remove((each) => each.id === id)
          if (!organizations.rows.some((each) => each.id === organizationId)) return
          const { last, lastHash, first, anchor } = chainOf(organizationId)
          const text = encode(content)
          const number = last + 1
          const entry = {
            organizationId,
            number,
            content,
            text,
            previous: lastHash,
            hash: hash(chainedText(lastHash, number, text))
          }
          auditEntries.insert(entry)
          auditChains.remove((each) => each.organizationId === organizationId)
          auditChains.insert({ organizationId, last: number, lastHash: entry.hash, first, anchor })
        }),
      unfinished: (before) =>
        access(() =>
          begunChanges.rows
            .filter(({ content }) => content.at < before)
            .toSorted((a, b) => a.content.at - b.content.at)
            .slice(0, portion)
        ),
      list: (organizationId, filter, below, limit) =>
        access(() =>
          own(organizationId)
            .filter((entry) => below === null || entry.number < below)
            .filter(passes(filter))
            .toReversed()
            .slice(0, limit)
        ),
      from: (organizationId, number, limit) =>
        access(() =>
          own(organizationId)
            .filter((entry) => entry.number >= number)
            .slice(0, limit)
        ),
      chain: (organizationId) =>
        access(() => {
          const { last, lastHash, first, anchor } = chainOf(organizationId)
          return { last, lastHash, first, anchor }
        }),
      expire: (before) =>
        access(() => {
          for (const chain of auditChains.rows) {
            const all = own(chain.organizationId)
            const kept = all.findIndex(({ content }) => content.at >= before)
            const count = Math.min(portion, kept === -1 ? all.length : kept)
            const last = all[count - 1]
            if (last === undefined) continue
            auditEntries.remove((each) => each.organizationId === chain.organizationId && each.number <= last.number)
            auditChains.replace((each) => each.organizationId === chain.organizationId, {
              ...chain,
              first: last.number + 1,
              anchor: last.hash
            })
          }
        })
    })
  })
)
