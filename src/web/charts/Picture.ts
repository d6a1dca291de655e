/** What makes a mark look as it does; it comes from style sheets, which a file of its own does not have. */
const looks = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "opacity",
  "font-size",
  "font-weight",
  "font-variant-numeric",
  "text-anchor"
]

const font = "Inter, system-ui, sans-serif"
const margin = 16
/** Notes that are written beneath a chart. */
const mostNotes = 20
const head = 56
const rowHeight = 22
/** Pixels of the picture for each of the screen. */
const density = 2

/** What stands around a chart in its picture. */
export interface Words {
  readonly title: string
  readonly sentence: string
  readonly legend: ReadonlyArray<{ readonly name: string; readonly color: number | "accent" | null }>
}

/** Adds an element to a drawing, in the drawing's own language. */
export const add = (
  to: Element,
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  text = ""
): Element => {
  const made = document.createElementNS(to.namespaceURI, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  made.textContent = text
  to.append(made)
  return made
}

/** Writes into the copy how the original looks on this page, part by part. */
const keepLooks = (original: Element, copy: Element): void => {
  const style = getComputedStyle(original)
  for (const look of looks) {
    const value = style.getPropertyValue(look)
    if (value !== "") copy.setAttribute(look, value)
  }
  copy.removeAttribute("class")
  for (const [index, child] of [...original.children].entries()) {
    const twin = copy.children.item(index)
    if (twin !== null) keepLooks(child, twin)
  }
}

/** A colour of the present theme. */
export const tokenOf = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** How many colours the theme has for series: a look beyond them is one of them again, drawn hollow. */
const colors = 8

/** How the look of a series fills what is drawn for it; null is the grey of the rest. */
export const fillOf = (look: number | null): Readonly<Record<string, string | number>> => {
  const color = tokenOf(look === null ? "--ink2" : `--series-${look % colors}`)
  return look === null || look < colors
    ? { fill: color }
    : { fill: color, "fill-opacity": 0.25, stroke: color, "stroke-width": 2 }
}

/** What the chart's notes say, a line each. */
const notesOf = (chart: SVGSVGElement): ReadonlyArray<string> => {
  const all = [...chart.querySelectorAll(".chart-note title")].flatMap(({ textContent }) =>
    (textContent ?? "").split("\n")
  )
  return all.length > mostNotes ? [...all.slice(0, mostNotes), `and ${all.length - mostNotes} more`] : all
}

/** A chart as a file of its own, with its title, its sentence, its legend and its notes, in the colours of the present theme. */
export const svgText = (chart: SVGSVGElement, { title, sentence, legend }: Words): string => {
  const [width, height] = [chart.width.baseVal.value, chart.height.baseVal.value]
  const notes = notesOf(chart)
  const rows = legend.length + notes.length
  const whole = { width: width + margin * 2, height: head + height + rows * rowHeight + margin * 2 }
  const copy = chart.cloneNode(true)
  const picture = document.createElementNS(chart.namespaceURI, "svg")
  picture.setAttribute("width", String(whole.width))
  picture.setAttribute("height", String(whole.height))
  picture.setAttribute("font-family", font)
  add(picture, "rect", { ...whole, fill: tokenOf("--surface") })
  add(picture, "text", { x: margin, y: 30, "font-size": 18, "font-weight": 640, fill: tokenOf("--ink") }, title)
  add(picture, "text", { x: margin, y: 50, "font-size": 13, fill: tokenOf("--ink2") }, sentence)
  if (copy instanceof Element) {
    keepLooks(chart, copy)
    copy.setAttribute("x", String(margin))
    copy.setAttribute("y", String(head + margin / 2))
    picture.append(copy)
  }
  for (const [index, { name, color }] of legend.entries()) {
    const y = head + height + margin + index * rowHeight
    const fill = color === "accent" ? { fill: tokenOf("--accent") } : fillOf(color)
    add(picture, "rect", { x: margin, y, width: 10, height: 10, rx: 3, ...fill })
    add(picture, "text", { x: margin + 18, y: y + 9, "font-size": 13, fill: tokenOf("--ink") }, name)
  }
  for (const [index, note] of notes.entries()) {
    const y = head + height + margin + (legend.length + index) * rowHeight
    add(picture, "circle", { cx: margin + 5, cy: y + 5, r: 4.5, fill: tokenOf("--warn") })
    add(picture, "text", { x: margin + 18, y: y + 9, "font-size": 12, fill: tokenOf("--ink2") }, note)
  }
  return new XMLSerializer().serializeToString(picture)
}

/** The drawing as a PNG, with twice as many pixels as it takes on the screen. */
export const pngOf = async (svg: string): Promise<Blob> => {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement("canvas")
    canvas.width = image.naturalWidth * density
    canvas.height = image.naturalHeight * density
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((done, fail) => {
      canvas.toBlob((blob) => (blob === null ? fail(new Error("The picture is too large")) : done(blob)), "image/png")
    })
  } finally {
    URL.revokeObjectURL(address)
  }
}
