import { Either } from "effect"
import type { Json } from "../configuration/Document.ts"
import { isObject } from "../configuration/Document.ts"
import type { Link } from "../configuration/Link.ts"
import { parse } from "../configuration/Link.ts"
import { isLink } from "../configuration/LinkTurns.ts"

/** Where links are in a value, as a tree of keys: only what leads to a link is in it. */
export interface LinkPlaces {
  /** More than one where items of an array share a place. */
  readonly links: ReadonlyArray<Link>
  readonly children: ReadonlyMap<string, LinkPlaces>
}

interface Growing extends LinkPlaces {
  readonly links: Array<Link>
  readonly children: Map<string, Growing>
}

const bare = (): Growing => ({ links: [], children: new Map() })

const isBare = ({ links, children }: Growing): boolean => links.length === 0 && children.size === 0

const gather = (value: Json, intoArrays: boolean, node: Growing): void => {
  if (Array.isArray(value)) {
    if (intoArrays) for (const item of value) gather(item, intoArrays, node)
  } else if (isObject(value)) {
    if (!isLink(value)) return gatherKeys(value, intoArrays, node)
    const link = parse(value)
    if (Either.isRight(link)) node.links.push(link.right)
  }
}

const gatherKeys = (object: Readonly<Record<string, Json>>, intoArrays: boolean, node: Growing): void => {
  for (const key of Object.keys(object)) {
    const item = object[key]!
    if (typeof item !== "object") continue
    const child = node.children.get(key) ?? bare()
    gather(item, intoArrays, child)
    if (!isBare(child)) node.children.set(key, child)
  }
}

/** The places of the links in a value. Links inside arrays stand where the array does if `intoArrays`, otherwise they are skipped. */
export const linkPlaces = (value: Json, intoArrays: boolean): LinkPlaces => {
  const root = bare()
  gather(value, intoArrays, root)
  return root
}
