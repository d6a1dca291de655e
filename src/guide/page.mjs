// The frame of a page of the guide. Every address in it is relative, so that the guide works under any path.
export const escape = (text) =>
  text.replace(/[&<>"]/g, (each) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[each])

const item = (up, current) => (page) =>
  `<li><a href="${up}${page.path}"${page === current ? ' aria-current="page"' : ""}>${escape(page.name)}</a></li>`

const navigation = (sections, current, up) =>
  sections
    .map(({ name, pages }) => {
      const list = `<ul>${pages.map(item(up, current)).join("")}</ul>`
      const isOpen = name !== "Endpoints" || pages.includes(current)
      return `<details${isOpen ? " open" : ""}><summary>${escape(name)}</summary>${list}</details>`
    })
    .join("")

const contents = ({ headings }) => {
  const shown = headings.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 2) return ""
  const list = shown.map(({ level, id, text }) => `<li data-level="${level}"><a href="#${id}">${escape(text)}</a></li>`)
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${list.join("")}</ul></nav>`
}

/** How a page leads to the folder of the guide. */
export const upOf = (path) => "../".repeat(path.split("/").length - 1) || "./"

/** The whole page. `assets` has the addresses of scripts, style and search, relative to the folder of the guide. */
export const pageOf = (page, sections, assets) => {
  const up = upOf(page.path)
  const pages = sections.flatMap((section) => section.pages)
  const at = pages.indexOf(page)
  const step = (other, words) =>
    other === undefined
      ? "<span></span>"
      : `<a href="${up}${other.path}"><small>${words}</small>${escape(other.name)}</a>`
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escape(page.title)} · Gamekeeper</title>
    <link rel="icon" href="${up}favicon.svg" type="image/svg+xml">
    <script src="${up}${assets.theme}"></script>
    <link rel="stylesheet" href="${up}${assets.style}">
    <script type="module" src="${up}${assets.script}" data-up="${up}" data-index="${up}${assets.index}" id="guide"></script>
  </head>
  <body>
    <a class="skip" href="#content">Skip to the page</a>
    <header class="top">
      <button type="button" class="menu" aria-expanded="false" aria-controls="pages">Pages</button>
      <a class="brand" href="${up}"><img src="${up}favicon.svg" alt="" width="22" height="22">Gamekeeper <span>Guide</span></a>
      <div class="search" role="search">
        <input type="search" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list" aria-label="Search the guide" placeholder="Search (press /)" autocomplete="off" spellcheck="false">
        <ul id="found" role="listbox" aria-label="Found" hidden></ul>
        <p class="unseen" role="status"></p>
      </div>
      <a href="${up}../../">Dashboard</a>
    </header>
    <div class="columns">
      <nav id="pages" aria-label="Pages">${navigation(sections, page, up)}</nav>
      <main id="content">
        <article>
${page.html}
        </article>
        <nav class="steps" aria-label="Next pages">${step(pages[at - 1], "Before")}${step(pages[at + 1], "Next")}</nav>
      </main>
      ${contents(page)}
    </div>
  </body>
</html>
`
}
