import { ensureSyntaxTree, syntaxTree } from "@codemirror/language"
import type { ChangeSet, Extension, Range } from "@codemirror/state"
import { Annotation, EditorState, StateEffect, StateField } from "@codemirror/state"
import type { DecorationSet, Panel } from "@codemirror/view"
import { Decoration, EditorView, showPanel, WidgetType } from "@codemirror/view"
import type { Path } from "../../../domain/configuration/Document.ts"
import { pathText, readDocument } from "../Draft.ts"
import type { TextSpan } from "./Places.ts"
import { placesOn } from "./Places.ts"

/** A path that an experiment holds, and the experiment's page. */
export interface HeldPath {
  readonly path: Path
  readonly by: string
  readonly address: string
}

/** What an editor says about values beside their text. */
export interface Marks {
  readonly held: ReadonlyArray<HeldPath>
  /** Paths that public keys do not see. */
  readonly hidden: ReadonlyArray<Path>
}

/** Text that stays as it is. */
interface Fixed extends TextSpan {
  readonly held: HeldPath
  /** Whether it is a value, which grows when something is written right behind it. */
  readonly isValue: boolean
}

interface Drawn {
  readonly fixed: ReadonlyArray<Fixed>
  readonly decorations: DecorationSet
}

/** A transaction that comes from the page, not from who types: nothing refuses it. */
export const fromPage = Annotation.define<boolean>()

/** Milliseconds that the whole text may take to be parsed at once. */
const parsingTime = 50

const linkTo = ({ by, address }: HeldPath, className: string, onOpen: (address: string) => void): HTMLElement => {
  const link = document.createElement("a")
  link.className = className
  link.href = address
  link.textContent = by
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onOpen(address)
  })
  return link
}

/** Words at the end of a line about a value in it. */
class Chip extends WidgetType {
  readonly held: HeldPath | null
  readonly onOpen: (address: string) => void

  constructor(held: HeldPath | null, onOpen: (address: string) => void) {
    super()
    this.held = held
    this.onOpen = onOpen
  }

  override eq(other: Chip): boolean {
    return this.held?.address === other.held?.address && this.held?.by === other.held?.by
  }

  override toDOM(): HTMLElement {
    const chip = document.createElement("span")
    if (this.held === null) {
      chip.className = "chip chip-hidden"
      chip.textContent = "private"
      chip.title = "Public keys do not get this value"
      return chip
    }
    chip.className = "chip chip-held"
    chip.append("held by ", linkTo(this.held, "chip-link", this.onOpen))
    chip.title = "It cannot be changed while the experiment runs"
    return chip
  }

  override ignoreEvent(): boolean {
    return true
  }
}

const heldText = Decoration.mark({ class: "held" })
const hiddenKey = Decoration.mark({ class: "hidden-key" })

const drawn = (state: EditorState, { held, hidden }: Marks, onOpen: (address: string) => void): Drawn => {
  const text = state.doc.toString()
  const tree = ensureSyntaxTree(state, state.doc.length, parsingTime) ?? syntaxTree(state)
  const fixed: Array<Fixed> = []
  const ranges: Array<Range<Decoration>> = []
  const sayAt = (place: TextSpan, chip: Chip) =>
    ranges.push(Decoration.widget({ widget: chip, side: 1 }).range(state.doc.lineAt(place.from).to))
  for (const each of held) {
    const places = placesOn(tree, text, each.path)
    // The names of the objects around it are part of its path.
    for (const { key } of places) if (key !== null) fixed.push({ ...key, held: each, isValue: false })
    const place = places.at(-1)
    if (place === undefined || places.length < each.path.length) continue
    const whole = { from: place.key?.from ?? place.from, to: place.to }
    fixed.push({ ...whole, held: each, isValue: true })
    ranges.push(heldText.range(whole.from, whole.to))
    sayAt(whole, new Chip(each, onOpen))
  }
  for (const path of hidden) {
    const places = placesOn(tree, text, path)
    const key = places.length < path.length ? null : (places.at(-1)?.key ?? null)
    if (key === null) continue
    ranges.push(hiddenKey.range(key.from, key.to))
    sayAt(key, new Chip(null, onOpen))
  }
  return { fixed, decorations: Decoration.set(ranges, true) }
}

const moved = ({ fixed, decorations }: Drawn, changes: ChangeSet): Drawn => ({
  fixed: fixed.map((each) => ({ ...each, from: changes.mapPos(each.from, 1), to: changes.mapPos(each.to, -1) })),
  decorations: decorations.map(changes)
})

/** What is held of the text that a change touches; null where it touches nothing that is. */
const touched = (fixed: ReadonlyArray<Fixed>, changes: ChangeSet): HeldPath | null => {
  let found: HeldPath | null = null
  changes.iterChanges((from, to, _from, _to, inserted) => {
    const grows = inserted.length > 0 && /^[^\s,\]}]/.test(inserted.toString())
    found ??=
      fixed.find((each) =>
        from === to
          ? (from > each.from && from < each.to) || (each.isValue && grows && from === each.to)
          : to > each.from && from < each.to
      )?.held ?? null
  })
  return found
}

const refused = StateEffect.define<HeldPath>()

const refusalPanel = (held: HeldPath, onOpen: (address: string) => void) => (): Panel => {
  const dom = document.createElement("p")
  dom.className = "refusal"
  dom.setAttribute("role", "status")
  dom.append(`${pathText(held.path)} cannot be changed while it is held by `, linkTo(held, "chip-link", onOpen), ".")
  return { dom }
}

/** Marks values that experiments hold, which nobody can then change, and keys that are private. */
export const marking = (marks: Marks, onOpen: (address: string) => void): Extension => {
  const field = StateField.define<Drawn>({
    create: (state) => drawn(state, marks, onOpen),
    update: (value, transaction) => {
      if (!transaction.docChanged) return value
      return readDocument(transaction.newDoc.toString()).ok
        ? drawn(transaction.state, marks, onOpen)
        : moved(value, transaction.changes)
    },
    provide: (own) => EditorView.decorations.from(own, ({ decorations }) => decorations)
  })
  const refusal = StateField.define<HeldPath | null>({
    create: () => null,
    update: (value, transaction) => {
      const effect = transaction.effects.find((each) => each.is(refused))
      return effect === undefined ? (transaction.docChanged ? null : value) : effect.value
    },
    provide: (own) => showPanel.from(own, (held) => (held === null ? null : refusalPanel(held, onOpen)))
  })
  const filter = EditorState.transactionFilter.of((transaction) => {
    if (!transaction.docChanged || transaction.annotation(fromPage) === true) return transaction
    const held = touched(transaction.startState.field(field).fixed, transaction.changes)
    return held === null ? transaction : [{ effects: refused.of(held) }]
  })
  return [field, refusal, filter]
}
