// Renders Markdown as pages of the guide: headings with anchors, links to other pages, and the sections that the search finds.
import { posix } from "node:path"
import markdownIt from "markdown-it"

/** The anchor of a heading, by the rules of the pages where the documents are read otherwise. */
const slugOf = (text) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-")

const textOf = (inline) =>
  (inline.children ?? [])
    .map(({ type, content }) => (type === "softbreak" ? " " : type === "text" || type === "code_inline" ? content : ""))
    .join("")

/** Gives every heading an anchor that no other one of the page has; answers them. */
const anchor = (tokens) => {
  const taken = new Map()
  const headings = []
  for (const [at, token] of tokens.entries()) {
    if (token.type !== "heading_open") continue
    const text = textOf(tokens[at + 1])
    const slug = slugOf(text)
    const count = taken.get(slug) ?? 0
    taken.set(slug, count + 1)
    const id = count === 0 ? slug : `${slug}-${count}`
    token.attrSet("id", id)
    headings.push({ at, level: Number(token.tag.slice(1)), id, text })
  }
  return headings
}

/** What stands between one heading and the next, as a text to search. */
const sectionsOf = (tokens, headings) =>
  headings.map(({ at, id, text }, index) => {
    const until = headings[index + 1]?.at ?? tokens.length
    const parts = tokens
      .slice(at + 3, until)
      .map((token) => (token.type === "inline" ? textOf(token) : token.type === "fence" ? token.content : ""))
    return {
      id,
      heading: text,
      text: parts
        .filter((part) => part !== "")
        .join(" ")
        .replaceAll(/\s+/g, " ")
    }
  })

/** The words of a fence's first line that say how a test runs the block are for the test alone. */
const languageOnly = (tokens) => {
  for (const token of tokens) if (token.type === "fence") token.info = token.info.split(" ")[0]
}

/** A wide table and a long block scroll in themselves, by keyboard too, so that the page does not. */
const scrolling = (markdown) => {
  markdown.renderer.rules.table_open = () => '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>\n'
  markdown.renderer.rules.table_close = () => "</table></div>\n"
  const fence = markdown.renderer.rules.fence
  markdown.renderer.rules.fence = (...asked) => {
    const [tokens, at] = asked
    const name = tokens[at].info === "output" ? "Output" : "Code"
    return `<div class="block" data-kind="${name.toLowerCase()}">${fence(...asked).replace("<pre>", `<pre tabindex="0" role="group" aria-label="${name}">`)}</div>\n`
  }
}

/**
 * Renders one document. `resolve` is asked for the address of each file that the document links to, relative to the repository; a link to
 * what it does not know stays as its text.
 */
export const render = (file, source, resolve) => {
  const markdown = markdownIt({ html: false, linkify: false, typographer: false })
  scrolling(markdown)
  const tokens = markdown.parse(source, {})
  const headings = anchor(tokens)
  languageOnly(tokens)
  const links = []
  for (const { children } of tokens) {
    if (children === null) continue
    const open = []
    for (const token of children) {
      if (token.type === "link_close" && open.pop() === undefined) Object.assign(token, { type: "text", content: "" })
      if (token.type !== "link_open") continue
      const href = token.attrGet("href") ?? ""
      if (/^[a-z]+:/.test(href)) {
        open.push(token)
        continue
      }
      const [path, hash] = href.split("#")
      const target = path === "" ? file : posix.normalize(posix.join(posix.dirname(file), path))
      const address = resolve(target, hash)
      if (address === undefined) Object.assign(token, { type: "text", content: "", attrs: null })
      else {
        token.attrSet("href", address)
        links.push({ target, hash })
        open.push(token)
      }
    }
  }
  return {
    html: markdown.renderer.render(tokens, markdown.options, {}),
    title: headings[0]?.text ?? file,
    headings,
    sections: sectionsOf(tokens, headings),
    links
  }
}
