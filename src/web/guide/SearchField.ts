import MiniSearch, { type AsPlainObject, type Options, type SearchResult } from "minisearch"

const mostFound = 12

interface Stored {
  readonly options: Options
  readonly index: AsPlainObject
}

const own = document.querySelector<HTMLScriptElement>("#guide")

let index: Promise<MiniSearch> | undefined

/** The index, fetched when somebody first goes to the field; again after a failure. */
const loaded = (): Promise<MiniSearch> => {
  index ??= fetch(own?.dataset["index"] ?? "")
    .then((response): Promise<Stored> => response.json())
    .then((stored) => MiniSearch.loadJS(stored.index, stored.options))
  index.catch(() => (index = undefined))
  return index
}

/** Words as they are typed, the last one perhaps not to its end, and with slips; all of them, or the best that there is. */
const find = (searched: MiniSearch, text: string): ReadonlyArray<SearchResult> => {
  const options = {
    boost: { title: 3, heading: 4 },
    prefix: true,
    fuzzy: (term: string) => (term.length > 4 ? 0.2 : false)
  }
  const all = searched.search(text, { ...options, combineWith: "AND" })
  return (all.length > 0 ? all : searched.search(text, options)).slice(0, mostFound)
}

const line = (kind: string, text: string): HTMLElement => {
  const element = document.createElement(kind)
  element.textContent = text
  return element
}

const entry = ({ id, title, heading, beginning }: SearchResult, at: number): HTMLLIElement => {
  const item = document.createElement("li")
  item.id = `found-${at}`
  item.role = "option"
  item.dataset["address"] = `${own?.dataset["up"] ?? ""}${String(id)}`
  item.append(line("strong", heading === title ? title : `${title}: ${heading}`), line("small", beginning))
  return item
}

/** The field that searches the guide in the browser: arrows choose, Enter opens, Escape closes, and / leads to it. */
export const searchField = (): void => {
  const field = document.querySelector<HTMLInputElement>(".search input")
  const list = document.querySelector<HTMLUListElement>("#found")
  const status = document.querySelector<HTMLElement>(".search [role=status]")
  if (field === null || list === null || status === null) return

  const items = () => [...list.querySelectorAll<HTMLLIElement>("li")]
  const chosen = () => items().findIndex((item) => item.ariaSelected === "true")

  const choose = (at: number) => {
    for (const [index, item] of items().entries()) item.ariaSelected = String(index === at)
    field.setAttribute("aria-activedescendant", `found-${at}`)
    items()[at]?.scrollIntoView({ block: "nearest" })
  }
  const show = (isShown: boolean) => {
    list.hidden = !isShown
    field.ariaExpanded = String(isShown)
    if (!isShown) field.removeAttribute("aria-activedescendant")
  }
  const open = (item: HTMLLIElement | undefined) => {
    if (item?.dataset["address"] === undefined) return
    show(false)
    location.assign(item.dataset["address"])
  }
  const search = async () => {
    const text = field.value.trim()
    if (text === "") return show(false)
    const searched = await loaded().catch(() => undefined)
    // Somebody has typed on meanwhile: their next word asks again.
    if (text !== field.value.trim()) return
    if (searched === undefined) status.textContent = "The search could not be loaded"
    const found = searched === undefined ? [] : find(searched, text)
    list.replaceChildren(...found.map(entry))
    if (searched !== undefined) status.textContent = found.length === 0 ? "Nothing found" : `${found.length} found`
    show(found.length > 0)
    if (found.length > 0) choose(0)
  }

  field.addEventListener("focus", () => void loaded().catch(() => undefined))
  field.addEventListener("input", () => void search())
  field.addEventListener("blur", () => show(false))
  field.addEventListener("keydown", (event) => {
    const count = items().length
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (event.key === "Escape") show(false)
    if (list.hidden) return
    if (step !== 0) {
      event.preventDefault()
      choose((chosen() + step + count) % count)
    }
    if (event.key === "Enter") open(items()[chosen()])
  })
  // The field keeps the focus, so that its list is there when the click arrives.
  list.addEventListener("mousedown", (event) => event.preventDefault())
  list.addEventListener("click", ({ target }) => {
    if (target instanceof Element) open(target.closest("li") ?? undefined)
  })
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select")
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    field.focus()
  })
}
