import { FiberRef } from "effect"
import type { OrganizationId } from "../../domain/Ids.ts"

/**
 * The organization for which the running fiber works, and null for work of the server itself. Where all organizations share a thread, they take
 * turns by it, so that one that asks much keeps only itself waiting.
 */
export const askingOrganization = FiberRef.unsafeMake<OrganizationId | null>(null)
