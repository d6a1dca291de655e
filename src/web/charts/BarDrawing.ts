import { add, fillOf, tokenOf } from "./Picture.ts"

/** One bar: parts of the plot's height, from 0 to 1, and what stands above it. */
export interface DrawnBar {
  readonly height: number
  /** The part above the bar that is drawn pale: those who were lost. */
  readonly lost: number
  /** Index of its colour; null for grey. */
  readonly color: number | null
  readonly text: string
}

/** Bars side by side, with lines of text below them. */
export interface DrawnColumn {
  readonly below: ReadonlyArray<string>
  readonly bars: ReadonlyArray<DrawnBar>
}

/** Columns side by side, under a title, which may be empty; several stand one below the other. */
export interface DrawnPanel {
  readonly title: string
  readonly columns: ReadonlyArray<DrawnColumn>
}

const width = 880
const plotHeight = 200
/** Pixels that the texts of bars take above a plot, its title above these, and a line of text below it. */
const textHeight = 22
const titleHeight = 22
const lineHeight = 18
/** Of the width of a column, what its bars do not take. */
const gap = 0.16

/** A stretch of the axis below a plot: where it begins, how wide it is, and how far down it lies. */
interface Stretch {
  readonly left: number
  readonly wide: number
  readonly floor: number
}

const addBar = (to: Element, { height, lost, color, text }: DrawnBar, { left, wide, floor }: Stretch): void => {
  const fill = fillOf(color)
  const [filled, gone] = [height * plotHeight, lost * plotHeight]
  add(to, "rect", { x: left, y: floor - filled - gone, width: wide, height: gone, ...fill, opacity: 0.25 })
  add(to, "rect", { x: left, y: floor - filled, width: wide, height: filled, ...fill })
  const place = { x: left + wide / 2, y: floor - filled - gone - 6, "text-anchor": "middle" }
  add(to, "text", { ...place, "font-size": 12, fill: tokenOf("--ink") }, text)
}

const addColumn = (to: Element, { bars, below }: DrawnColumn, { left, wide, floor }: Stretch): void => {
  const share = (wide * (1 - gap)) / Math.max(1, bars.length)
  for (const [index, bar] of bars.entries()) {
    const begin = left + (wide * gap) / 2 + (index + 0.03) * share
    addBar(to, bar, { left: begin, wide: share * 0.94, floor })
  }
  for (const [line, text] of below.entries()) {
    const place = { x: left + wide / 2, y: floor + (line + 1) * lineHeight, "text-anchor": "middle" }
    add(to, "text", { ...place, "font-size": 12, fill: tokenOf(line === 0 ? "--ink" : "--ink2") }, text)
  }
}

/** Bars as a drawing of their own, for pages that show them without one. Null where the page has no icon to take the language of drawings from. */
export const barDrawing = (panels: ReadonlyArray<DrawnPanel>): SVGSVGElement | null => {
  const drawing = document.createElementNS(document.querySelector("svg")?.namespaceURI ?? null, "svg")
  if (!(drawing instanceof SVGSVGElement)) return null
  let top = 0
  for (const { title, columns } of panels) {
    const floor = top + (title === "" ? 0 : titleHeight) + textHeight + plotHeight
    const wide = width / Math.max(1, columns.length)
    const head = { x: 0, y: top + 16, "font-size": 13, "font-weight": 620, fill: tokenOf("--ink") }
    add(drawing, "text", head, title)
    for (const [index, column] of columns.entries()) addColumn(drawing, column, { left: index * wide, wide, floor })
    add(drawing, "line", { x1: 0, x2: width, y1: floor, y2: floor, stroke: tokenOf("--line2") })
    top = floor + (Math.max(0, ...columns.map(({ below }) => below.length)) + 1) * lineHeight
  }
  drawing.setAttribute("width", String(width))
  drawing.setAttribute("height", String(top))
  return drawing
}
