import type { jsonLanguage } from "@codemirror/lang-json"
import type { Path } from "../../../domain/configuration/Document.ts"

export type JsonTree = ReturnType<typeof jsonLanguage.parser.parse>

type Node = JsonTree["topNode"]

/** Part of a text: its first character, and the one after its last. */
export interface TextSpan {
  readonly from: number
  readonly to: number
}

/** Where a value stands in a text. */
export interface Place extends TextSpan {
  /** Its key with the quotes; null for an item of a list. */
  readonly key: TextSpan | null
}

const valueNames: ReadonlySet<string> = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"])

const childrenOf = (node: Node): ReadonlyArray<Node> => {
  const found: Array<Node> = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child)
  return found
}

const isValue = ({ name }: Node): boolean => valueNames.has(name)

/** The text between quotes, read as JSON where that can be done: a key may be written with escapes. */
const nameIn = (quoted: string): string => {
  if (!quoted.includes("\\")) return quoted.slice(1, -1)
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}

interface Found {
  readonly node: Node
  readonly place: Place
}

const entryOf = (object: Node, key: string, text: string): Found | null => {
  // Of two entries with one key the last one counts, as it does to who reads the document.
  for (const property of object.getChildren("Property").toReversed()) {
    const name = property.getChild("PropertyName")
    const node = childrenOf(property).findLast(isValue)
    if (name === null || node === undefined || nameIn(text.slice(name.from, name.to)) !== key) continue
    return { node, place: { from: node.from, to: node.to, key: { from: name.from, to: name.to } } }
  }
  return null
}

const itemOf = (list: Node, index: string): Found | null => {
  const node = childrenOf(list).filter(isValue)[Number(index)]
  return node === undefined ? null : { node, place: { from: node.from, to: node.to, key: null } }
}

/**
 * The places on the way to a path in a JSON text, the outermost first; as many as are there. Keys lead into objects, indexes into lists.
 */
export const placesOn = (tree: JsonTree, text: string, path: Path): ReadonlyArray<Place> => {
  const places: Array<Place> = []
  let node = childrenOf(tree.topNode).find(isValue)
  for (const part of path) {
    if (node === undefined) break
    const found: Found | null = node.name === "Object" ? entryOf(node, part, text) : itemOf(node, part)
    if (found === null) break
    places.push(found.place)
    node = found.node
  }
  return places
}
