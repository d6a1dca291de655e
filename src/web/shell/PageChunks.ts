import type { ComponentType } from "react"
import type { Where } from "../api/queries.ts"
import { loadable } from "../ui/Loadable.tsx"
import { awaitedPage, withinPage } from "./InsteadOfPage.tsx"

/** Where a page is about to be shown. */
export interface Arrival {
  readonly where: Where
  readonly timezone: string
  readonly parameters: URLSearchParams
}

interface Chunk {
  readonly default: ComponentType
  /** Asks what the page will ask first, before it is drawn. */
  readonly begin?: (arrival: Arrival) => void
}

const loads = new Map<string, () => Promise<Chunk>>()

/** A page that is loaded when it is shown: what another one leads to, such as one record of a list. */
export const pageWithin = (load: () => Promise<Chunk>) =>
  loadable(
    () => Promise.all([load(), import("./Drawn.tsx")]).then(([chunk, { kept }]) => kept(chunk)),
    awaitedPage,
    withinPage
  )

/** A page that is loaded when it is shown, or a moment before: `path` is what follows the environment in its address. */
export const page = (path: string, load: () => Promise<Chunk>) => {
  const component = pageWithin(load)
  loads.set(path, component.load)
  return component
}

/** The script of a page; null where there is no such page, or it cannot be loaded now and is tried again when the page is shown. */
export const loadPage = async (path: string): Promise<Chunk | null> => {
  const load = loads.get(path)
  return load === undefined ? null : load().catch(() => null)
}
