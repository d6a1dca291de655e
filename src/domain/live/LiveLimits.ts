import type { OrganizationId, UserId } from "../Ids.ts"

/** Open streams that one person may have, those of one organization together, and those of everybody. */
export const mostStreams = { ofUser: 20, ofOrganization: 250, ofAll: 500 }

interface Owner {
  readonly userId: UserId
  readonly organizationId: OrganizationId
}

/** Counts open streams, so that their memory is bounded and nobody takes the places of others. */
export class OpenStreams {
  private readonly counts = new Map<string, number>()

  private names({ userId, organizationId }: Owner): ReadonlyArray<readonly [name: string, most: number]> {
    return [
      [`user ${userId}`, mostStreams.ofUser],
      [`organization ${organizationId}`, mostStreams.ofOrganization],
      ["all", mostStreams.ofAll]
    ]
  }

  /** Whether the owner may open no further stream. */
  isFull(owner: Owner): boolean {
    return this.names(owner).some(([name, most]) => (this.counts.get(name) ?? 0) >= most)
  }

  /** Counts one more stream, or one less. */
  add(owner: Owner, by: 1 | -1): void {
    for (const [name] of this.names(owner)) {
      const count = (this.counts.get(name) ?? 0) + by
      if (count > 0) this.counts.set(name, count)
      else this.counts.delete(name)
    }
  }
}
