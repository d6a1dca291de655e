import { FlatPage } from "./FlatPage.ts"
import type { KeyPage } from "./KeyPage.ts"
import { PackedPage } from "./PackedPage.ts"

/** How the pages of a run are written: null by builds of the formats 1 to 6. */
export type KeyLayout = number | null

export const packedLayout = 1

const nothing = new Uint8Array()

/** A page that is missing has no ids. */
export const keyPage = (layout: KeyLayout, data: Uint8Array | undefined): KeyPage =>
  data === undefined || layout === null ? new FlatPage(data ?? nothing) : new PackedPage(data)

/** All records of the page that `read` gives; undefined where it is damaged or cannot be read. */
export const wholeRecords = (layout: KeyLayout, read: () => Uint8Array | undefined): Uint32Array | undefined => {
  try {
    const page = keyPage(layout, read())
    return page.isWhole ? page.records() : undefined
  } catch {
    return undefined
  }
}
